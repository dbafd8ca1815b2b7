import { dirname, resolve } from 'node:path';
import ts from 'typescript';
import { createAnalysis } from './analysis.ts';
import { readContractTypes } from './contract-types.ts';
import type { UsesManifest } from './manifest.ts';
import type { ConsumerProgram } from './read-project.ts';
import { createCallVisitor } from './visit-calls.ts';
import { visitComparisons } from './visit-comparisons.ts';
import { visitExports } from './visit-exports.ts';
import { visitFlows } from './visit-flows.ts';
import { visitReads } from './visit-reads.ts';

/**
 * Finds what a TypeScript project uses of a contract.
 * @param about the name of the consumer, and the current time as an RFC 3339 timestamp
 * @returns the manifest and the number of lines that were read
 */
export function collectUses(
  { program, contract: types, project }: ConsumerProgram,
  { consumer, now }: { consumer: string; now: string },
): { manifest: UsesManifest; lines: number } {
  const folder = dirname(resolve(project));
  const contract = readContractTypes(types);
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
