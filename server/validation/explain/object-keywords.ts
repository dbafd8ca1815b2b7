import { isObject, listOf, objectOf } from '../../lib/json-object.ts';
import { ownOf } from '../../lib/own-property.ts';
import { patternFor } from '../../lib/pattern-for.ts';
import { spend, unitsOfText } from '../../lib/work-limit.ts';
import { merge, type Place } from './place.ts';
import { sizesOf } from './sizes.ts';

/** Applies the keywords for objects. */
export function applyObjectKeywords(place: Place): void {
  const { schema, value: given, at, run, outcome, isGuarded, fail, apply: applyTo } = place;
  const value = objectOf(given);
  const names = Object.keys(value);
  spend(names.reduce((units, name) => units + 1 + unitsOfText(name), 0));
  const { maxProperties, minProperties, propertyNames, dependentRequired, dependentSchemas } = schema;
  const isMissing = (name: string) => !Object.hasOwn(value, name) || value[name] === undefined;
  if (typeof maxProperties === 'number' && names.length > maxProperties)
    fail('maxProperties', { limit: maxProperties });
  if (typeof minProperties === 'number' && names.length < minProperties)
    fail('minProperties', { limit: minProperties });
  for (const missingProperty of listOf(schema.required).map(String))
    if (isMissing(missingProperty)) fail('required', { missingProperty });
  for (const [property, others] of Object.entries(objectOf(dependentRequired)))
    if (Object.hasOwn(value, property))
      for (const missingProperty of listOf(others).map(String))
        if (isMissing(missingProperty)) fail('dependentRequired', { property, missingProperty });
  for (const [name, inner] of Object.entries(objectOf(dependentSchemas)))
    if (Object.hasOwn(value, name)) merge(outcome, applyTo(inner, value, at, run, isGuarded));
  if (propertyNames !== undefined && !isGuarded)
    for (const name of names) {
      const own = run.branch();
      if (run.isFull || applyTo(propertyNames, name, at, own, false).isValid) continue;
      run.reportInside(own);
      fail('propertyNames', { propertyName: name });
    }
  applyToProperties(place, value, names);
}

const isConstantSchema = (schema: unknown): boolean =>
  isObject(schema) && ('const' in schema || 'enum' in schema);

function applyToProperties(
  { schema, at, run, outcome, isGuarded, fail, apply: applyTo }: Place,
  value: Readonly<Record<string, unknown>>,
  names: readonly string[],
): void {
  const properties = objectOf(schema.properties);
  const patterns = isGuarded ? [] : Object.entries(objectOf(schema.patternProperties));
  const { additionalProperties } = schema;
  // The names of an object that is too large, or that are too long, are not matched.
  const { maxLength = Number.POSITIVE_INFINITY } = sizesOf(schema.propertyNames, run);
  const isLong = (name: string) => name.length > 2 * maxLength;
  const apply = (inner: unknown, name: string) => {
    if (outcome.names !== true) outcome.names.add(name);
    outcome.isValid =
      applyTo(inner, value[name], { name, within: at }, run, false).isValid && outcome.isValid;
  };
  const isConstant = (name: string) => isConstantSchema(ownOf(properties, name));
  const constants = names.filter(isConstant);
  for (const name of constants) apply(properties[name], name);
  // A branch with another constant is not meant. Without this, recursive branches would take exponential time.
  if (run.isBranch && run.branches !== 'all' && !outcome.isValid && constants.length > 0) return;
  for (const name of names) {
    if (run.isFull) return;
    if (value[name] === undefined) continue;
    const isDeclared = Object.hasOwn(properties, name);
    const matching = isLong(name) ? [] : patterns.filter(([pattern]) => patternFor(pattern).test(name));
    if (isDeclared && !isConstant(name)) apply(properties[name], name);
    for (const [, inner] of matching) apply(inner, name);
    if (isDeclared || matching.length > 0 || additionalProperties === undefined) continue;
    if (isGuarded && schema.patternProperties !== undefined) continue;
    if (additionalProperties === false) {
      // Reported once, although `unevaluatedProperties` may forbid it as well.
      if (outcome.names !== true) outcome.names.add(name);
      fail('additionalProperties', { additionalProperty: name });
    } else apply(additionalProperties, name);
  }
}
