import { dirname, resolve } from 'node:path';
import ts from 'typescript';
import { createAnalysis } from './analysis.ts';
import { type ContractTypes, readContractTypes } from './contract-types.ts';
import type { UsesManifest } from './manifest.ts';
import type { ConsumerProgram } from './read-project.ts';
import { createCallVisitor } from './visit-calls.ts';
import { visitComparisons } from './visit-comparisons.ts';
import { visitExports } from './visit-exports.ts';
import { visitFlows } from './visit-flows.ts';
import { visitReads } from './visit-reads.ts';
import { visitTypes } from './visit-types.ts';

/**
 * Finds what a TypeScript project uses of a contract.
 * @param consumer the name of the consumer
 * @returns the manifest and the number of lines that were read
 */
export function collectUses(
  { program, contract: types, project }: ConsumerProgram,
  consumer: string,
): { manifest: UsesManifest; lines: number } {
  const folder = dirname(resolve(project));
  const contract = readContractTypes(types);
  const analysis = createAnalysis(program, contract, folder);
  const visitCalls = createCallVisitor(analysis);
  const visit = (node: ts.Node, isInType: boolean): void => {
    visitTypes(node, analysis);
    const isType = isInType || isTypeAround(node);
    if (!isType) {
      visitReads(node, analysis);
      visitFlows(node, analysis);
      visitCalls(node);
      visitComparisons(node, analysis);
    }
    ts.forEachChild(node, (child) => visit(child, isType));
  };
  const files = program.getSourceFiles().filter(analysis.isOwn);
  for (const file of files) visit(file, false);
  visitExports(program, analysis);
  analysis.leaks.close();
  const manifest = analysis.recorder.manifest({
    consumer,
    contract: { ...contract.facts, elsewhere: [] },
  });
  manifest.contract.elsewhere = schemasElsewhere(manifest, contract);
  return {
    manifest,
    lines: files.reduce((sum, file) => sum + file.getLineStarts().length, 0),
  };
}

/** Whether a node contains only types. A class evaluates the expression that it extends. */
const isTypeAround = (node: ts.Node): boolean =>
  (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node);

/** Returns the schemas that a program uses, and that none of its operations and events contains. */
function schemasElsewhere(
  { operations, events, validatesEvents, reads, sends, escapes }: UsesManifest,
  contract: ContractTypes,
): string[] {
  const isAnyEvent = validatesEvents.length > 0 || events.some(({ type }) => type === '*');
  const handled = isAnyEvent ? [...contract.events] : events.map(({ type }) => type);
  const here = contract.schemasOf(
    new Set([
      ...operations.map(({ operation }) => operation),
      ...handled.map((type) => `POST webhook ${type}`),
    ]),
  );
  const used = [...reads, ...sends].flatMap(({ schema }) => schema ?? []);
  const all = new Set([...used, ...escapes.flatMap(({ schemas }) => schemas)]);
  return [...all].filter((schema) => !here.has(schema)).sort();
}
