import { isObject, listOf } from '../../lib/json-object.ts';
import { spend } from '../../lib/work-limit.ts';
import { applyAlternatives } from './alternatives.ts';
import { applyArrayKeywords } from './array-keywords.ts';
import { applyObjectKeywords } from './object-keywords.ts';
import { type ApplySchema, merge, type Outcome, type Place } from './place.ts';
import { applyScalarKeywords } from './scalar-keywords.ts';
import { hasAllowedSize } from './sizes.ts';

/** Applies a schema to a value, and reports the violations. */
export const applySchema: ApplySchema = (schema, value, at, run, isGuarded) => {
  spend(1);
  // A set for each value would take half of the time for a list of numbers.
  const outcome: Outcome = {
    isValid: true,
    names: isObject(value) ? new Set() : true,
    items: Array.isArray(value) ? new Set() : true,
  };
  const fail: Place['fail'] = (keyword, params = {}, location = at) => {
    outcome.isValid = false;
    run.report({ keyword, location, params, schema, at });
  };
  if (schema === false) fail('false schema');
  if (!isObject(schema)) return outcome;
  if (typeof schema.forbidden === 'string') fail('forbidden', { reason: schema.forbidden });
  const place: Place = {
    ...{ schema, value, at, run, outcome, fail, apply: applySchema },
    isGuarded: isGuarded || !hasAllowedSize(schema, value, run),
  };
  applyScalarKeywords(place);
  if (Array.isArray(value)) applyArrayKeywords(place);
  else if (isObject(value)) applyObjectKeywords(place);
  for (const part of [
    ...(typeof schema.$ref === 'string' ? [run.schemaOf(schema.$ref)] : []),
    ...listOf(schema.allOf),
  ])
    merge(outcome, applySchema(part, value, at, run, place.isGuarded));
  applyAlternatives(place);
  applyUnevaluated(place);
  return outcome;
};

function applyUnevaluated(place: Place): void {
  if (Array.isArray(place.value)) applyUnevaluatedItems(place, place.value);
  else if (isObject(place.value)) applyUnevaluatedProperties(place, place.value);
}

function applyUnevaluatedItems({ schema, at, run, outcome, fail }: Place, value: readonly unknown[]): void {
  const { unevaluatedItems } = schema;
  const { items } = outcome;
  if (unevaluatedItems === undefined || items === true) return;
  spend(value.length);
  for (const [index, item] of value.entries()) {
    if (items.has(index) || !outcome.isValid) continue;
    if (unevaluatedItems === false) fail('unevaluatedItems', { limit: index });
    else
      outcome.isValid = applySchema(unevaluatedItems, item, { name: index, within: at }, run, false).isValid;
  }
  outcome.items = true;
}

function applyUnevaluatedProperties(
  { schema, at, run, outcome, fail }: Place,
  value: Readonly<Record<string, unknown>>,
): void {
  const { unevaluatedProperties } = schema;
  const { names } = outcome;
  if (unevaluatedProperties === undefined || names === true) return;
  const given = Object.keys(value);
  spend(given.length);
  for (const name of given) {
    if (run.isFull || names.has(name)) continue;
    if (unevaluatedProperties === false) fail('unevaluatedProperties', { unevaluatedProperty: name });
    else
      outcome.isValid =
        applySchema(unevaluatedProperties, value[name], { name, within: at }, run, false).isValid &&
        outcome.isValid;
  }
  outcome.names = true;
}
