import ts from 'typescript';
import type { Analysis } from './analysis.ts';
import { enumerationsOf, readAllProperties, readByKey, symbolOf } from './visit-reads.ts';

/**
 * Records what a type names of the contract. Types have no effect when the program runs, but the program no longer
 * compiles if a property that they name is removed, or if an enumeration that they list has other values.
 */
export function visitTypes(node: ts.Node, analysis: Analysis): void {
  const { checker } = analysis.facts;
  if (ts.isIndexedAccessTypeNode(node) && isLiteral(checker.getTypeAtLocation(node.indexType)))
    readByKey(checker.getTypeAtLocation(node.objectType), node.indexType, node, analysis);
  else if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.KeyOfKeyword)
    readAllProperties(checker.getTypeAtLocation(node.type), node, analysis);
  if (ts.isIndexedAccessTypeNode(node) || ts.isTypeReferenceNode(node)) visitEnumeration(node, analysis);
  if (ts.isTypeParameterDeclaration(node) && node.default)
    passArguments([node.default], [node], node, analysis);
  if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
    const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression;
    passArguments(node.typeArguments, parametersOf(declarationOf(name, analysis)), node, analysis);
  } else if (ts.isCallLikeExpression(node) && 'typeArguments' in node) {
    const declaration = checker.getResolvedSignature(node)?.declaration;
    passArguments(node.typeArguments, parametersOf(declaration), node, analysis);
  }
}

/** Whether a type is a text, or a union of texts. */
const isLiteral = (type: ts.Type): boolean =>
  (type.isUnion() ? type.types : [type]).every((each) => each.isStringLiteral());

/** Records a type that is a shared schema without properties, such as an enumeration. */
function visitEnumeration(node: ts.TypeNode, { contract, facts, recorder, placeOf }: Analysis): void {
  for (const schema of enumerationsOf(node, facts.checker, contract))
    recorder.readWhole(schema, [schema], placeOf(node));
}

/** Passes type arguments: the declaration may read the properties of a constraint. */
function passArguments(
  given: readonly ts.TypeNode[] | undefined,
  parameters: readonly ts.TypeParameterDeclaration[],
  node: ts.Node,
  { facts, convert, placeOf }: Analysis,
): void {
  for (const [index, argument] of (given ?? []).entries()) {
    const parameter = parameters[index];
    if (parameter)
      convert(
        facts.checker.getTypeAtLocation(argument),
        facts.checker.getTypeAtLocation(parameter),
        placeOf(node),
      );
  }
}

const declarationOf = (name: ts.Node, { facts }: Analysis): ts.Node | undefined =>
  symbolOf(name, facts.checker)?.declarations?.find((each) => parametersOf(each).length > 0);

/** Returns the type parameters of a declaration; for a constructor, those of its class. */
function parametersOf(node: ts.Node | undefined): readonly ts.TypeParameterDeclaration[] {
  if (!node) return [];
  if (ts.isConstructorDeclaration(node)) return node.parent.typeParameters ?? [];
  const isGeneric =
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node);
  return (isGeneric && node.typeParameters?.filter(ts.isTypeParameterDeclaration)) || [];
}
