import ts from 'typescript';
import type { Analysis } from './analysis.ts';
import { visitObject, visitOptions } from './visit-sends.ts';

/**
 * Packages whose generic functions pass values on without reading them. A value for a type parameter of another package
 * escapes.
 */
const passingPackages = [
  '@tanstack',
  '@types/react',
  'openapi-fetch',
  'openapi-react-query',
  'react',
  'rxjs',
  'vue',
];

/** Records where a value is used as another type. */
export function visitFlows(node: ts.Node, analysis: Analysis): void {
  const { facts, convert, placeOf } = analysis;
  const { checker } = facts;
  if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node) || ts.isSatisfiesExpression(node)) {
    if (!isConst(node))
      convert(typeOf(node.expression, analysis), checker.getTypeAtLocation(node), placeOf(node));
  } else if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    visitCall(node, analysis);
    visitOptions(node, analysis);
  }
  if (ts.isObjectLiteralExpression(node)) {
    // The parts of the literal are visited too.
    visitObject(node, checker.getContextualType(node), analysis);
    return;
  }
  if (!ts.isExpression(node) || isWrapper(node) || isConst(node) || isDestructured(node)) return;
  const target = checker.getContextualType(node);
  if (!target) return;
  convert(typeOf(node, analysis), target, placeOf(node));
}

const typeOf = (node: ts.Node, { facts }: Analysis): ts.Type => facts.typeOf(node);

/**
 * Whether a value is destructured by a pattern without a type. The compiler makes a type of the pattern, which says
 * nothing about the properties that it does not name.
 */
function isDestructured(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent))
    return parent.initializer === node && !ts.isIdentifier(parent.name) && !parent.type;
  return ts.isExpression(parent) && !ts.isFunctionLike(parent) && isDestructured(parent);
}

/** Whether an expression has the value of another one, which is visited too. */
const isWrapper = (node: ts.Node): boolean =>
  ts.isParenthesizedExpression(node) ||
  ts.isConditionalExpression(node) ||
  ts.isSatisfiesExpression(node) ||
  ts.isJsxElement(node) ||
  ts.isJsxSelfClosingElement(node) ||
  ts.isJsxFragment(node) ||
  ts.isJsxAttributes(node);

const isConst = (node: ts.Node): boolean =>
  ts.isAssertionExpression(node) && ts.isConstTypeReference(node.type);

/** Records what a call does with its arguments, if its declared parameters have type parameters or no types. */
function visitCall(node: ts.CallExpression | ts.NewExpression, analysis: Analysis): void {
  const { checker, contentsOf, reachOf } = analysis.facts;
  if (!node.arguments?.some((argument) => isStructured(typeOf(argument, analysis)))) return;
  const signature = checker.getResolvedSignature(node);
  const declaration = signature?.declaration;
  for (const [index, argument] of (node.arguments ?? []).entries()) {
    const contents = contentsOf(typeOf(argument, analysis));
    if (!isStructured(typeOf(argument, analysis))) continue;
    const at = analysis.placeOf(argument);
    const parameter = declaration?.parameters.at(Math.min(index, declaration.parameters.length - 1));
    if (!parameter || !ts.isParameter(parameter)) {
      analysis.leaks.escape(contents, 'it is passed to a function without types', at);
      continue;
    }
    const file = parameter.getSourceFile();
    const wanted = checker.getTypeAtLocation(parameter);
    const { parameters } = reachOf(wanted);
    if (parameters.size === 0 && !parameter.dotDotDotToken && !ts.isObjectLiteralExpression(argument))
      analysis.convert(typeOf(argument, analysis), wanted, at);
    if (parameters.size === 0) continue;
    if (analysis.isOwn(file)) {
      for (const symbol of parameters) analysis.leaks.pass(contents, symbol, at);
      analysis.convert(typeOf(argument, analysis), wanted, at);
    } else if (!isPassing(file.fileName, analysis.contract.file.fileName))
      analysis.leaks.escape(contents, `it is passed to ${node.expression.getText()} of a package`, at);
  }
}

/** Whether values of a type can have properties. Functions can return such values. */
const isStructured = (type: ts.Type): boolean =>
  (type.flags & (ts.TypeFlags.StructuredOrInstantiable | ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;

/** Whether generic functions of a file pass values on: those of the platform, of known packages and of the API's client. */
const isPassing = (file: string, contract: string): boolean =>
  /\/(typescript\/lib|@types\/node)\//.test(file) ||
  [...passingPackages, packageOf(contract)].some((name) => file.includes(`/node_modules/${name}/`));

/** Returns the name of the package that a file belongs to. */
const packageOf = (file: string): string | undefined =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
