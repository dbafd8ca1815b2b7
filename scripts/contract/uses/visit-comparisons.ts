import ts from 'typescript';
import type { Analysis } from './analysis.ts';

/** Names of properties that contain the code of an error. */
const names = ['code', 'errorCode', 'error_code'];

/**
 * Records the error codes that a node compares with values of the program: `code === 40401`, `case 40401`, and
 * `[40401, 40901].includes(code)`.
 */
export function visitComparisons(node: ts.Node, { contract, recorder, placeOf }: Analysis): void {
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
