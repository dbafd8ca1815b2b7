import ts from 'typescript';
import type { ContractTypes } from './contract-types.ts';
import { schemasIn } from './generated-types.ts';

/** Maximum number of aliases that are followed: an alias can name itself. */
const maxAliases = 10;

/**
 * Returns the shared schemas without properties, such as enumerations, that a type stands for. The compiler forgets the
 * names of their types, so the aliases are followed in the sources.
 */
export function enumerationsOf(
  node: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
  contract: ContractTypes,
  depth = 0,
): string[] {
  if (!node || depth > maxAliases) return [];
  if (ts.isIndexedAccessTypeNode(node))
    return schemasIn(node.getText()).filter((schema) => contract.facts.composed[schema]?.length === 0);
  if (!ts.isTypeReferenceNode(node)) return [];
  return (targetOf(node.typeName, checker)?.declarations ?? [])
    .filter(ts.isTypeAliasDeclaration)
    .flatMap(({ type }) => enumerationsOf(type, checker, contract, depth + 1));
}

/** Returns what a name stands for, also if it is imported. */
export function targetOf(name: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}
