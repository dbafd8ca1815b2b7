import { dirname, resolve } from 'node:path';
import ts from 'typescript';
import { type Analysis, createAnalysis } from './analysis.ts';
import { type ContractTypes, readContractTypes } from './contract-types.ts';
import type { UsesManifest } from './manifest.ts';
import type { ConsumerProgram } from './read-project.ts';
import { createCallVisitor } from './visit-calls.ts';
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

/** Names of properties that contain the code of an error. */
const names = ['code', 'errorCode', 'error_code'];

/**
 * Records the error codes that a node compares with values of the program: `code === 40401`, `case 40401`, and
 * `[40401, 40901].includes(code)`.
 */
function visitComparisons(node: ts.Node, { contract, recorder, placeOf }: Analysis): void {
  if (!ts.isNumericLiteral(node) && !ts.isStringLiteralLike(node)) return;
  if (names.includes(lastNameOf(comparedWith(node))) && contract.literals.has(node.text))
    recorder.code(node.text, placeOf(node));
}

/** Returns the expression that a value is compared with. */
function comparedWith(node: ts.Node): ts.Expression | undefined {
  const { parent } = node;
  if (!parent) return undefined;
  if (ts.isCaseClause(parent))
    return parent.expression === node ? parent.parent.parent.expression : undefined;
  if (ts.isBinaryExpression(parent) && comparisons.has(parent.operatorToken.kind))
    return parent.left === node ? parent.right : parent.left;
  if (!ts.isArrayLiteralExpression(parent)) return undefined;
  const access = parent.parent;
  const isIncludes = ts.isPropertyAccessExpression(access) && access.name.text === 'includes';
  return isIncludes && ts.isCallExpression(access.parent) ? access.parent.arguments[0] : undefined;
}

const comparisons: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);

/** Returns the last name of an expression such as `error.code`. */
function lastNameOf(node: ts.Expression | undefined): string {
  if (node && ts.isPropertyAccessExpression(node)) return node.name.text;
  return node && ts.isIdentifier(node) ? node.text : '';
}

/** Records values that only code outside the project can import: nothing is known about what it reads. */
function visitExports(program: ts.Program, analysis: Analysis): void {
  const { facts, leaks, placeOf, isOwn } = analysis;
  const { checker, contentsOf } = facts;
  const files = program.getSourceFiles().filter(isOwn);
  const imported = new Set<ts.Symbol>();
  const resolve = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const visit = (node: ts.Node): void => {
    if ((ts.isImportSpecifier(node) || ts.isImportClause(node)) && node.name) {
      const symbol = checker.getSymbolAtLocation(node.name);
      if (symbol) imported.add(resolve(symbol));
    } else if (ts.isNamespaceImport(node) || (ts.isCallExpression(node) && isDynamicImport(node))) {
      const target = ts.isNamespaceImport(node) ? node.name : node.arguments[0];
      const module = target && checker.getSymbolAtLocation(target);
      for (const each of module ? checker.getExportsOfModule(resolve(module)) : [])
        imported.add(resolve(each));
    }
    ts.forEachChild(node, visit);
  };
  files.forEach(visit);
  for (const file of files) {
    const module = checker.getSymbolAtLocation(file);
    for (const exported of module ? checker.getExportsOfModule(module) : []) {
      const symbol = resolve(exported);
      const declaration = symbol.valueDeclaration;
      if (imported.has(symbol) || !declaration || !isOwn(declaration.getSourceFile())) continue;
      const type = checker.getTypeOfSymbol(symbol);
      const given = [type, ...resultsOf(checker, type)];
      for (const each of given)
        leaks.escape(
          contentsOf(each),
          `${exported.name} is exported, and not imported in the project`,
          placeOf(declaration),
        );
    }
  }
}

const resultsOf = (checker: ts.TypeChecker, type: ts.Type): ts.Type[] =>
  [
    ...checker.getSignaturesOfType(type, ts.SignatureKind.Call),
    ...checker.getSignaturesOfType(type, ts.SignatureKind.Construct),
  ].map((signature) => checker.getReturnTypeOfSignature(signature));

const isDynamicImport = (node: ts.CallExpression): boolean =>
  node.expression.kind === ts.SyntaxKind.ImportKeyword;
