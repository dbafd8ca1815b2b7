import { isObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { escapePointer, unescapePointer } from '../../../server/lib/json-text.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { pointerOf, schemaAt, targetOf } from './document-pointers.ts';

/** The branches that the values of a discriminator select. */
export interface SelectedBranches {
  /** JSON Pointers of branches, by value. */
  pointers: ReadonlyMap<string, string>;
  /** The values to name in a message. */
  values: readonly string[];
}

/**
 * Returns the branches that the values of a discriminator select. A branch has the values that `mapping` gives it, those
 * that its own schema lists and no other branch does, or else its name.
 * @param branches JSON Pointers of the branches
 * @returns undefined if a branch lists values that are no texts, which no discriminator can select
 */
export function selectedBranches(
  document: object,
  property: string,
  mapping: Readonly<Record<string, unknown>>,
  branches: readonly string[],
): SelectedBranches | undefined {
  const listed = branches.map((pointer) => valuesOf(document, schemaAt(document, pointer), property) ?? []);
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
  const mapped = Object.entries(mapping)
    .map(([value, target]): [string, string] => [value, mappedPointer(String(target))])
    .filter(([, pointer]) => branches.includes(pointer));
  const named = (mapped.length > 0 ? mapped : implied).map(([value]) => value);
  return { pointers: new Map([...implied, ...mapped]), values: [...new Set(named)] };
}

const mappedPointer = (target: string): string =>
  target.startsWith('#') ? pointerOf(target) : `/components/schemas/${escapePointer(target)}`;

/** Returns the values that a schema lists for a property; undefined if it lists none. */
function valuesOf(
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
    .map((part) => valuesOf(document, part, property, [...within, schema]))
    .find((values) => values);
}

const resolved = (document: object, schema: unknown): unknown =>
  isObject(schema) && typeof schema.$ref === 'string'
    ? schemaAt(document, targetOf(document, pointerOf(schema.$ref)))
    : schema;
