import ts from 'typescript';
import type { Analysis } from './analysis.ts';
import { isUnknown } from './contents.ts';
import { schemasIn } from './contract-facts.ts';
import type { ContractTypes } from './contract-types.ts';

/** Records the properties that a node reads from a value. */
export function visitReads(node: ts.Node, analysis: Analysis): void {
  const { facts, placeOf } = analysis;
  const { checker } = facts;
  if (ts.isPropertyAccessExpression(node)) {
    // Only the code that assigns a property knows its value.
    if (!isAssigned(node)) readSymbol(checker.getSymbolAtLocation(node.name), node.name, analysis);
  } else if (ts.isElementAccessExpression(node)) {
    readByKey(checker.getTypeAtLocation(node.expression), node.argumentExpression, node, analysis);
  } else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.dotDotDotToken) {
    const key = node.propertyName ?? node.name;
    readName(checker.getTypeAtLocation(node.parent), key, node, analysis);
  } else if (ts.isBinaryExpression(node)) {
    const { left, right, operatorToken } = node;
    if (operatorToken.kind === ts.SyntaxKind.InKeyword)
      readByKey(checker.getTypeAtLocation(right), left, node, analysis);
    if (operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isObjectLiteralExpression(left))
      for (const property of left.properties)
        if (property.name) readName(checker.getTypeAtLocation(right), property.name, property, analysis);
  } else if (ts.isForInStatement(node)) {
    escapeValue(node.expression, 'all its properties are listed', analysis);
  } else if (ts.isTemplateSpan(node)) {
    escapeValue(node.expression, 'it becomes text', analysis);
  } else if (ts.isThrowStatement(node)) {
    escapeValue(node.expression, 'it is thrown', analysis);
  } else if (ts.isJsxSpreadAttribute(node)) {
    const element = node.parent.parent;
    const isIntrinsic = /^[a-z]/.test(element.tagName.getText());
    if (isIntrinsic) escapeValue(node.expression, 'all its properties become attributes', analysis);
    else convertTo(node.expression, checker.getContextualType(node.parent), placeOf(node), analysis);
  } else if (ts.isJsxExpression(node) && node.expression && !ts.isJsxAttribute(node.parent)) {
    escapeValue(node.expression, 'it is rendered as a whole', analysis);
  }
}

function convertTo(node: ts.Expression, target: ts.Type | undefined, at: string, analysis: Analysis): void {
  const source = analysis.facts.checker.getTypeAtLocation(node);
  if (target) analysis.convert(source, target, at);
  else analysis.leaks.escape(analysis.facts.contentsOf(source), 'its new type is unknown', at);
}

function readSymbol(
  symbol: ts.Symbol | undefined,
  node: ts.Node,
  { contract, facts, leaks, recorder, placeOf }: Analysis,
): void {
  const { checker, contentsOf, partsOf } = facts;
  const at = placeOf(node);
  const parts = partsOf(symbol).filter((part) => part.kind === 'property');
  for (const part of parts) recorder.read(part, at);
  // A client's own class, such as that of its errors, can contain a value of the contract.
  for (const declaration of parts.length === 0 ? (symbol?.declarations ?? []) : [])
    if (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration))
      for (const schema of enumerationsOf(declaration.type, facts.checker, contract))
        recorder.readWhole(schema, [schema], at);
  // A member of a union can have a property of an unknown type, which hides the types of the others.
  if (parts.length > 0 && isUnknown(checker.getTypeAtLocation(node)))
    for (const declaration of symbol?.declarations ?? [])
      if (ts.isPropertySignature(declaration))
        leaks.escape(contentsOf(checker.getTypeAtLocation(declaration)), 'its type becomes unknown', at);
  const eventsOf = ({ schema }: (typeof parts)[number]) =>
    schema === undefined ? [] : contract.eventsOf(schema);
  const events = new Set(parts.flatMap(eventsOf));
  // A value such as the type or the time of many events is read before they are distinguished.
  const isCommon = events.size > 1 && parts.every(({ refersTo }) => refersTo.length === 0);
  for (const event of isCommon ? ['*'] : events) recorder.event(event, at);
}

/** Reads a property by its name in a pattern, which may be computed. */
function readName(type: ts.Type, name: ts.Node, node: ts.Node, analysis: Analysis): void {
  if (ts.isComputedPropertyName(name)) readByKey(type, name.expression, node, analysis);
  else if (ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name))
    for (const symbol of propertiesOf(analysis.facts.checker, type, name.text))
      readSymbol(symbol, node, analysis);
}

/** Records that all properties of a type are listed. */
export function readAllProperties(type: ts.Type, node: ts.Node, analysis: Analysis): void {
  for (const property of type.getProperties()) readSymbol(property, node, analysis);
}

/** Reads a property by the value of an expression, or by a literal type. */
export function readByKey(type: ts.Type, key: ts.Node, node: ts.Node, analysis: Analysis): void {
  const { checker, contentsOf } = analysis.facts;
  const keyType = checker.getTypeAtLocation(key);
  const keys = keyType.isUnion() ? keyType.types : [keyType];
  for (const each of keys) {
    if (each.isStringLiteral())
      for (const symbol of propertiesOf(checker, type, each.value)) readSymbol(symbol, node, analysis);
    // A number is the index of an element.
    else if (!(each.flags & (ts.TypeFlags.NumberLike | ts.TypeFlags.ESSymbolLike)))
      analysis.leaks.escape(
        contentsOf(type),
        'a property is read by a name that is not known',
        analysis.placeOf(node),
      );
  }
}

/** Returns the properties with a name, also if only some members of a union have it. */
const propertiesOf = (checker: ts.TypeChecker, type: ts.Type, name: string): (ts.Symbol | undefined)[] =>
  (type.isUnion() ? type.types : [type]).map((each) => checker.getPropertyOfType(each, name));

function escapeValue(node: ts.Expression, reason: string, { facts, leaks, placeOf }: Analysis): void {
  leaks.escape(facts.contentsOf(facts.checker.getTypeAtLocation(node)), reason, placeOf(node));
}

/** Whether an access is the target of an assignment with `=`. */
function isAssigned(node: ts.PropertyAccessExpression): boolean {
  const { parent } = node;
  return (
    ts.isBinaryExpression(parent) &&
    parent.left === node &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  );
}

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
  return (symbolOf(node.typeName, checker)?.declarations ?? [])
    .filter(ts.isTypeAliasDeclaration)
    .flatMap(({ type }) => enumerationsOf(type, checker, contract, depth + 1));
}

/** Returns what a name stands for, also if it is imported. */
export function symbolOf(name: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}
