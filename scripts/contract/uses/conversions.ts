import ts from 'typescript';
import { isEmpty, isReference, type TypeFacts } from './contents.ts';
import type { Place } from './manifest.ts';
import { createSentObjects, type Leaks, type UsesRecorder } from './uses-recorder.ts';

// Functions that get functions have endless types. A callback of a callback is deep enough.
const maxDepth = 3;

/**
 * Creates a function that records what happens when a value of one type is used as another: properties that the new type
 * declares itself count as read, or as sent; `any`, `unknown`, `object` and index signatures end the analysis.
 */
export function createConversions(
  { checker, contentsOf, reachOf, partsOf }: TypeFacts,
  recorder: UsesRecorder,
  leaks: Leaks,
): (source: ts.Type, target: ts.Type, at: Place) => void {
  return (from, to, at) => {
    const seen = new Map<ts.Type, Set<ts.Type>>();
    let depth = 0;
    let isConstraint = false;
    convert(from, to);

    function convert(source: ts.Type, target: ts.Type): void {
      if (source === target || seen.get(source)?.has(target)) return;
      seen.set(source, (seen.get(source) ?? new Set()).add(target));
      convertFunctions(checker.getNonNullableType(source), checker.getNonNullableType(target));
      if (isEmpty(reachOf(source)) && isEmpty(reachOf(target))) return;
      if (isOpaque(source)) sendAnything(target);
      else if (isOpaque(target) || target.flags & ts.TypeFlags.Never)
        loseTrack(source, `its type becomes ${checker.typeToString(target)}`);
      else if (target.flags & ts.TypeFlags.TypeParameter) convertToParameter(source, target);
      else if (source.isUnion()) for (const each of source.types) convert(each, target);
      else if (target.isUnion()) convertToUnion(source, target);
      else if (isReference(source) && isReference(target) && source.target === target.target)
        convertArguments(source, target);
      else convertProperties(source, target);
    }

    /**
     * In a generic function, the properties of the constraint can be read. If the value loses its type inside the
     * function, the type parameter leaks.
     */
    function convertToParameter(source: ts.Type, target: ts.Type): void {
      if (target.symbol) leaks.pass(contentsOf(source), target.symbol, at);
      const constraint = target.getConstraint();
      if (!constraint) return;
      const before = isConstraint;
      isConstraint = true;
      convert(source, constraint);
      isConstraint = before;
    }

    function loseTrack(source: ts.Type, reason: string): void {
      if (!isConstraint) leaks.escape(contentsOf(source), reason, at);
    }

    function convertToUnion(source: ts.Type, target: ts.UnionType): void {
      if (target.types.includes(source)) return;
      const fitting = target.types.filter((each) => checker.isTypeAssignableTo(source, each));
      for (const each of fitting.length > 0 ? fitting : target.types) convert(source, each);
    }

    function convertArguments(source: ts.TypeReference, target: ts.TypeReference): void {
      const targets = checker.getTypeArguments(target);
      for (const [index, each] of checker.getTypeArguments(source).entries()) {
        const other = targets[index];
        if (other) convert(each, other);
      }
    }

    function convertProperties(source: ts.Type, target: ts.Type): void {
      if (!((source.flags | target.flags) & ts.TypeFlags.StructuredType)) return;
      const index = checker.getIndexInfosOfType(target).find(({ keyType }) => !isNumber(keyType));
      if (index && !isEmpty(contentsOf(source)) && !hasStringIndex(source))
        loseTrack(source, 'its properties are read by an index signature');
      const sent = createSentObjects(recorder, hasStringIndex(source), at);
      for (const property of checker.getPropertiesOfType(target)) {
        const own = checker.getPropertyOfType(source, property.name);
        if (!own) continue;
        const [sourceParts, targetParts] = [partsOf(own), partsOf(property)];
        const isSame =
          own === property || own.declarations?.some((each) => property.declarations?.includes(each));
        if (!isSame) {
          for (const part of sourceParts) if (part.kind === 'property') recorder.read(part, at);
          for (const part of targetParts) sent.add(part, own);
        }
        convert(checker.getTypeOfSymbol(own), checker.getTypeOfSymbol(property));
      }
      sent.record();
    }

    /** The parameters of a function are converted in the other direction. */
    function convertFunctions(source: ts.Type, target: ts.Type): void {
      const [own] = checker.getSignaturesOfType(source, ts.SignatureKind.Call);
      const [wanted] = checker.getSignaturesOfType(target, ts.SignatureKind.Call);
      if (!own || !wanted || depth >= maxDepth) return;
      depth += 1;
      for (const [index, parameter] of own.parameters.entries()) {
        const given = wanted.parameters[index];
        if (given) convert(checker.getTypeOfSymbol(given), checker.getTypeOfSymbol(parameter));
      }
      convert(checker.getReturnTypeOfSignature(own), checker.getReturnTypeOfSignature(wanted));
      depth -= 1;
    }

    /** A value of an unknown type is used as a part of the contract: it may have any property. */
    function sendAnything(target: ts.Type): void {
      const { schemas, operations } = contentsOf(target);
      for (const schema of schemas) recorder.sendAny({ schema }, at);
      for (const operation of operations) recorder.sendAny({ operation }, at);
    }

    function hasStringIndex(type: ts.Type): boolean {
      return checker.getIndexInfosOfType(type).some(({ keyType }) => !isNumber(keyType));
    }

    /** Whether a type says nothing about the properties of its values. */
    function isOpaque(type: ts.Type): boolean {
      const isWide =
        (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive)) !== 0;
      return isWide || (isObjectType(type) && isBare(type));
    }

    /** Whether a type is `{}` or `Object`. */
    function isBare(type: ts.Type): boolean {
      return (
        type.symbol?.name === 'Object' ||
        (checker.getPropertiesOfType(type).length === 0 &&
          checker.getIndexInfosOfType(type).length === 0 &&
          checker.getSignaturesOfType(type, ts.SignatureKind.Call).length === 0 &&
          checker.getSignaturesOfType(type, ts.SignatureKind.Construct).length === 0)
      );
    }
  };
}

const isNumber = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.Number) !== 0;
const isObjectType = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.Object) !== 0;
