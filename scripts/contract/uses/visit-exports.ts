import ts from 'typescript';
import type { Analysis } from './analysis.ts';

/** Records values that only code outside the project can import: nothing is known about what it reads. */
export function visitExports(program: ts.Program, analysis: Analysis): void {
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
