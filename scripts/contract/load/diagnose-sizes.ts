import { isObject, type JsonObject, objectOf } from '../../../server/lib/json-object.ts';
import { targetOf } from '../../lib/json-pointer.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import type { Diagnosis } from './diagnosis.ts';
import { inlineSchema, isInserted } from './repair-document.ts';
import { visitObjects } from './visit-objects.ts';

/** Maximum size of the smallest value that a schema allows: values and characters. Generators need a multiple of it. */
const maxSmallestSize = 100_000;

/** Maximum number of schemas that apply to one value, in all combinations. The runtime refuses values that need 20,000. */
const maxCombined = 2_000;

/** Maximum number of objects that references into paths and into other schemas copy: about 3 s. */
const maxCopied = 500_000;

/** Finds references to parts that contain themselves, or whose copies exhaust time or memory. */
function diagnoseCopies(document: OpenApiDocument): Diagnosis[] {
  const sizes = new Map<unknown, number>();
  const sizeOf = (node: unknown): number => {
    if (typeof node !== 'object' || node === null) return 0;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    sizes.set(node, Number.POSITIVE_INFINITY);
    const { $ref }: { $ref?: unknown } = node;
    const inner =
      typeof $ref === 'string' && isInserted($ref) ? [targetOf(document, $ref)] : Object.values(node);
    const size = inner.reduce<number>((sum, each) => sum + sizeOf(each), 1);
    sizes.set(node, size);
    return size;
  };
  const shared = new Set<string>();
  let copied = 0;
  const found: Diagnosis[] = [];
  visitObjects(document, ({ $ref }, _key, pointer) => {
    if (typeof $ref !== 'string' || !(isInserted($ref) || inlineSchema.test($ref)) || shared.has($ref))
      return true;
    if (!isInserted($ref)) shared.add($ref);
    const size = sizeOf(targetOf(document, $ref));
    if (copied + size <= maxCopied) copied += size;
    else
      found.push({
        pointer,
        message: `The reference ${$ref} leads to a part that contains itself, or the copies of such parts have more than ${maxCopied} objects.`,
        fix: 'Move the part to components, and refer to it there.',
      });
    return true;
  });
  return found;
}

/**
 * Finds schemas that exhaust time or memory in a small document: their smallest value is large, or references combine the
 * same schemas again and again.
 */
export function diagnoseSizes(document: OpenApiDocument): Diagnosis[] {
  const schemasIn = (given: unknown): unknown[] => (Array.isArray(given) ? given : []);
  const referredBy = ({ $ref }: JsonObject): unknown[] =>
    typeof $ref === 'string' ? [targetOf(document, $ref)] : [];

  const combined = memoized((schema, of) =>
    [schema.allOf, schema.anyOf, schema.oneOf, referredBy(schema), [schema.not, schema.if]]
      .concat([[schema.then, schema.else], Object.values(objectOf(schema.dependentSchemas))])
      .flatMap(schemasIn)
      .reduce((sum: number, each) => sum + of(each), 1 + 2 * partsIn(schema)),
  );
  const smallest = memoized((schema, of) => {
    if (schema.enum !== undefined || schema.const !== undefined) return 1;
    const properties = isObject(schema.properties) ? schema.properties : {};
    const required = schemasIn(schema.required)
      .map(String)
      .filter((name) => Object.hasOwn(properties, name));
    const whole = [
      ...schemasIn(schema.allOf),
      ...referredBy(schema),
      ...required.map((name) => properties[name]),
    ];
    const choices = [schema.anyOf, schema.oneOf]
      .map((each) => schemasIn(each).map(of))
      .filter((sizes) => sizes.length > 0)
      .map((sizes) => sizes.reduce((least, size) => Math.min(least, size)));
    const inList = (count: number, item: unknown) => count * Math.max(1, of(item));
    const minItems = countIn(schema.minItems);
    const first = schemasIn(schema.prefixItems).slice(0, minItems);
    const own = [
      countIn(schema.minLength),
      countIn(schema.minProperties),
      ...first.map((item) => inList(1, item)),
      inList(minItems - first.length, schema.items),
      schema.contains === undefined ? 0 : inList(countIn(schema.minContains ?? 1), schema.contains),
      typeof schema.pattern === 'string' ? sizeOfPattern(schema.pattern) : 0,
    ];
    return [1, ...own, ...choices, ...whole.map(of)].reduce((sum, size) => sum + size);
  });

  const found = diagnoseCopies(document);
  visitObjects(document, (node, _key, pointer) => {
    const isInSchema = /\/schema(\/|$)|^\/components\/schemas\//.test(pointer);
    if (!isInSchema || (smallest(node) <= maxSmallestSize && combined(node) <= maxCombined)) return true;
    found.push({
      pointer,
      message:
        smallest(node) > maxSmallestSize
          ? `The smallest value of the schema is larger than ${maxSmallestSize} values and characters.`
          : `The schema combines more than ${maxCombined} schemas, or ${maxCombined / 2} patterns, list items or dependencies.`,
      fix: 'Demand fewer or shorter values, or combine schemas less often.',
    });
    return false;
  });
  return found;
}

/** Creates a function that measures each schema once. A schema inside itself counts as 0. */
function memoized(
  measure: (schema: Record<string, unknown>, of: (schema: unknown) => number) => number,
): (schema: unknown) => number {
  const known = new Map<unknown, number>();
  const of = (schema: unknown): number => {
    if (!isObject(schema)) return 0;
    const size = known.get(schema);
    if (size !== undefined) return size;
    known.set(schema, 0);
    const measured = measure(schema, of);
    known.set(schema, measured);
    return measured;
  };
  return of;
}

/** Returns the number of patterns, list items and dependencies, whose code Ajv nests, too. */
const partsIn = ({
  patternProperties,
  prefixItems,
  dependentRequired,
  dependentSchemas,
}: JsonObject): number =>
  [patternProperties, prefixItems, dependentRequired, dependentSchemas]
    .map((each) => Object.keys(Object(each)).length)
    .reduce((sum, count) => sum + count);

const countIn = (given: unknown): number => (typeof given === 'number' && given > 0 ? given : 0);

/** Returns about how many characters a pattern demands: `^(a{3}-){2}$` demands 8. */
function sizeOfPattern(pattern: string): number {
  const groups = [{ sum: 0, last: 0 }];
  const parts = pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]?|\{(?<least>\d+)(?:,\d*)?\}|[()]|[^()[\]{}\\]/gsu);
  for (const { 0: part, groups: { least } = {} } of parts) {
    const group = groups.at(-1);
    if (group === undefined) break;
    if (part === '(') groups.push({ sum: 0, last: 0 });
    else if (part === ')') {
      const inner = groups.length > 1 ? groups.pop() : undefined;
      const outer = groups.at(-1) ?? group;
      outer.last = inner?.sum ?? 0;
      outer.sum += outer.last;
    } else {
      const size = least === undefined ? 1 : group.last * Number(least);
      group.sum += least === undefined ? size : size - group.last;
      group.last = size;
    }
  }
  return groups.reduce((total, { sum }) => total + sum, 0);
}
