import { dirname, resolve } from 'node:path';
import ts from 'typescript';
import { createCompilerHost } from '../../lib/compiler-host.ts';
import { createAnalysis } from './analysis.ts';
import { findContractTypes, readContractTypes } from './contract-types.ts';
import type { UsesManifest } from './manifest.ts';
import { readProject } from './read-project.ts';
import { createCallVisitor } from './visit-calls.ts';
import { visitComparisons } from './visit-comparisons.ts';
import { visitExports } from './visit-exports.ts';
import { visitFlows } from './visit-flows.ts';
import { visitReads } from './visit-reads.ts';

export interface CollectOptions {
  /** Path of the consumer's `tsconfig.json`. */
  project: string;
  consumer: string;
  /** The current time, as an RFC 3339 timestamp. */
  now: string;
  /** Path of the generated types, if the project imports those of several contracts, or of none. */
  types?: string | undefined;
}

/**
 * Reads a TypeScript project, and finds what it uses of a contract.
 * @returns the manifest and the number of lines that were read
 * @throws Error if the project cannot be read, or does not contain types generated from exactly one contract
 */
export function collectUses({ project, consumer, now, types }: CollectOptions): {
  manifest: UsesManifest;
  lines: number;
} {
  const { fileNames, options } = readProject(project);
  // A project without a typed client does not import the types.
  const program = ts.createProgram(
    [...fileNames, ...(types === undefined ? [] : [resolve(types)])],
    options,
    createCompilerHost(options),
  );
  const folder = dirname(resolve(project));
  const contract = readContractTypes(chooseTypes(program, types));
  const analysis = createAnalysis(program, contract, folder);
  const visitCalls = createCallVisitor(analysis);
  const visit = (node: ts.Node): void => {
    // Types have no effect when the program runs.
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    visitReads(node, analysis);
    visitFlows(node, analysis);
    visitCalls(node);
    visitComparisons(node, analysis);
    ts.forEachChild(node, visit);
  };
  const files = program.getSourceFiles().filter(analysis.isOwn);
  files.forEach(visit);
  visitExports(program, analysis);
  analysis.leaks.close();
  return {
    manifest: analysis.recorder.manifest({ consumer, createdAt: now, contract: contract.facts }),
    lines: files.reduce((sum, file) => sum + file.getLineStarts().length, 0),
  };
}

function chooseTypes(program: ts.Program, types: string | undefined): ts.SourceFile {
  const found = findContractTypes(program);
  const chosen = types === undefined ? found : found.filter(({ fileName }) => fileName === resolve(types));
  const [one, ...others] = chosen;
  if (!one)
    throw new Error(
      types === undefined
        ? 'The project does not import types that openapi-typescript has generated: an interface paths and an interface components.'
        : `The project does not import ${types}, or openapi-typescript has not generated it.`,
    );
  if (others.length > 0)
    throw new Error(
      `The project imports the types of several contracts. Choose one with --types:\n${chosen.map(({ fileName }) => `  ${fileName}`).join('\n')}`,
    );
  return one;
}
