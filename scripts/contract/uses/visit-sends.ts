import ts from 'typescript';
import type { Analysis } from './analysis.ts';
import { isAccepted, textsOf } from './contents.ts';
import { createSentObjects } from './uses-recorder.ts';

/** The compiler's flag for the type that an argument must have, before the argument itself is considered. */
const withoutArgument = 4;

/**
 * Records the objects in the options of a call with a path of the contract. Clients such as openapi-fetch infer the type
 * of the options from the argument, so only its constraint names parts of the contract.
 */
export function visitOptions(node: ts.CallExpression | ts.NewExpression, analysis: Analysis): void {
  const { facts, contract } = analysis;
  const { checker } = facts;
  const given = node.arguments ?? [];
  if (
    !given.some((each) => textsOf(checker.getTypeAtLocation(each)).some((text) => contract.methods.has(text)))
  )
    return;
  const typeFor: (argument: ts.Expression, flags: number) => ts.Type | undefined = checker.getContextualType;
  for (const argument of given) {
    const target = typeFor(argument, withoutArgument);
    visitValue(argument, target, analysis);
  }
}

function visitValue(node: ts.Expression, target: ts.Type | undefined, analysis: Analysis): void {
  if (ts.isObjectLiteralExpression(node)) visitOption(node, target, analysis);
  else if (target) analysis.convert(analysis.facts.typeOf(node), target, analysis.placeOf(node));
}

function visitOption(
  node: ts.ObjectLiteralExpression,
  target: ts.Type | undefined,
  analysis: Analysis,
): void {
  const { checker } = analysis.facts;
  visitObject(node, target, analysis);
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property) && target)
      analysis.convert(analysis.facts.typeOf(property.expression), target, analysis.placeOf(property));
    const value = assignedIn(property);
    const name = property.name?.getText().replace(/^['"]|['"]$/g, '') ?? '';
    for (const member of membersOf(target)) {
      const wanted = checker.getPropertyOfType(member, name);
      if (!wanted || !value) continue;
      visitValue(value, checker.getTypeOfSymbol(wanted), analysis);
    }
  }
}

const membersOf = (type: ts.Type | undefined): ts.Type[] =>
  type === undefined ? [] : type.isUnion() ? type.types : [type];

/** Records the objects and parameters that an object literal sends. */
export function visitObject(
  node: ts.ObjectLiteralExpression,
  target: ts.Type | undefined,
  analysis: Analysis,
): void {
  const { facts, recorder, placeOf, contract } = analysis;
  const { checker, partsOf, contentsOf } = facts;
  const own = checker.getTypeAtLocation(node);
  const isOpen = node.properties.some(
    (each) => ts.isSpreadAssignment(each) && isAccepted(checker.getTypeAtLocation(each.expression)),
  );
  const sent = createSentObjects(recorder, isOpen, placeOf(node));
  for (const member of membersOf(target))
    for (const property of checker.getPropertiesOfType(member))
      for (const part of partsOf(property)) sent.add(part, checker.getPropertyOfType(own, property.name));
  sent.record();
  for (const property of node.properties) {
    const value = bodyOf(property);
    if (!value || ts.isObjectLiteralExpression(value)) continue;
    // A received value can be sent as it is, without an object literal that names its properties.
    for (const schema of contentsOf(checker.getTypeAtLocation(value)).schemas)
      if (contract.received.has(schema)) recorder.sendAny({ schema }, placeOf(property));
  }
}

/** Returns the value of a property `body`, which clients send. */
const bodyOf = (property: ts.ObjectLiteralElementLike): ts.Expression | undefined =>
  property.name?.getText() === 'body' ? assignedIn(property) : undefined;

function assignedIn(property: ts.ObjectLiteralElementLike): ts.Expression | undefined {
  if (ts.isPropertyAssignment(property)) return property.initializer;
  return ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
}
