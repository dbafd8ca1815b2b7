import { isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { escapePointer, unescapePointer } from '../../../server/lib/json-text.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { decodedPointerOf, hasNode, schemaAt, targetPointer } from './document-pointers.ts';

/** The branches that the values of a discriminator select. */
export interface SelectedBranches {
  /** The name of the discriminator's property. */
  property: string;
  /** JSON Pointers of branches, by value. */
  pointers: ReadonlyMap<string, string>;
  /** The values to name in a message. */
  values: readonly string[];
}

/**
 * Returns the branches that the values of a discriminator select. A branch has the values that `mapping` gives it, those
 * that its own schema, or the branches inside it, list and no other branch does, or else its name.
 * @param schema with the discriminator beside `oneOf` or `anyOf`
 * @param around the schemas of which it is a branch
 * @returns undefined if branches are no references, or list values that are no texts, which no discriminator can select
 */
export function selectedBranches(
  document: object,
  schema: JsonObject,
  around: readonly JsonObject[] = [],
): SelectedBranches | undefined {
  const { propertyName: property, mapping } = objectOf(schema.discriminator);
  const references = listOf(schema.oneOf ?? schema.anyOf).map((branch) => objectOf(branch).$ref);
  if (typeof property !== 'string' || references.length === 0) return undefined;
  if (!references.every((reference) => typeof reference === 'string')) return undefined;
  const branches = references.map(decodedPointerOf);
  const whole = [...around, schema];
  /** @param known schemas whose values are not needed again: several branches may lead to the same one */
  const valuesIn = (branch: unknown, known: Set<JsonObject>): readonly unknown[] => {
    const own = listedValues(document, branch, property);
    const inner = objectOf(resolved(document, branch));
    if (own || known.has(inner)) return own ?? [];
    known.add(inner);
    const isNested = objectOf(inner.discriminator).propertyName === property;
    const selected = isNested ? selectedBranches(document, inner, whole) : undefined;
    if (selected) return [...selected.pointers.keys()];
    return listOf(inner.oneOf ?? inner.anyOf).flatMap((each) => valuesIn(each, known));
  };
  const listed = branches.map((pointer) => valuesIn(schemaAt(document, pointer), new Set(whole)));
  const implied: [string, string][] = [];
  for (const [index, pointer] of branches.entries()) {
    const values = listed[index] ?? [];
    const isShared = listed.some(
      (other, at) => at !== index && other.some((value) => values.includes(value)),
    );
    const name = unescapePointer(pointer.slice(pointer.lastIndexOf('/') + 1));
    for (const value of values.length === 0 || isShared ? [name] : values) {
      if (typeof value !== 'string') return undefined;
      implied.push([value, pointer]);
    }
  }
  const mapped = Object.entries(objectOf(mapping))
    .map(([value, target]): [string, string] => [value, mappedPointer(String(target))])
    .filter(([, pointer]) => hasNode(document, pointer));
  const named = (mapped.length > 0 ? mapped : implied).map(([value]) => value);
  return { property, pointers: new Map([...implied, ...mapped]), values: [...new Set(named)] };
}

/** Returns the JSON Pointer of the schema that a mapping names. */
export const mappedPointer = (target: string): string =>
  target.startsWith('#') ? decodedPointerOf(target) : `/components/schemas/${escapePointer(target)}`;

/** Returns the values that a schema lists for a property; undefined if it lists none. */
export function listedValues(
  document: object,
  schema: unknown,
  property: string,
  within: readonly unknown[] = [],
): readonly unknown[] | undefined {
  if (!isObject(schema) || within.includes(schema)) return undefined;
  const own = resolved(document, ownOf(objectOf(schema.properties), property));
  if (isObject(own) && 'const' in own) return [own.const];
  if (isObject(own) && Array.isArray(own.enum)) return own.enum;
  const combined = [
    ...listOf(schema.allOf),
    ...(typeof schema.$ref === 'string' ? [resolved(document, schema)] : []),
  ];
  return combined
    .map((part) => listedValues(document, part, property, [...within, schema]))
    .find((values) => values);
}

const resolved = (document: object, schema: unknown): unknown =>
  isObject(schema) && typeof schema.$ref === 'string'
    ? schemaAt(document, targetPointer(document, decodedPointerOf(schema.$ref)))
    : schema;
