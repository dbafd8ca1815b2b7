import { isObject, listOf, objectOf } from '../../../server/lib/json-object.ts';

/** Properties with `readOnly` are not in requests, those with `writeOnly` not in responses. */
export type Mark = 'readOnly' | 'writeOnly';

/**
 * Returns a function that lists the properties with a mark: those of a schema, and of all schemas combined with it.
 * @param resolve returns the target of a reference
 */
export function markedPropertiesBy(
  resolve: (reference: string) => unknown,
  mark: Mark,
): (schema: unknown) => string[] {
  const combined = ({ $ref, allOf }: Readonly<Record<string, unknown>>): unknown[] => [
    ...(typeof $ref === 'string' ? [resolve($ref)] : []),
    ...listOf(allOf),
  ];
  const isMarked = (schema: unknown, within: readonly unknown[] = []): boolean =>
    isObject(schema) &&
    !within.includes(schema) &&
    (schema[mark] === true || combined(schema).some((each) => isMarked(each, [...within, schema])));
  const namesIn = (schema: unknown, within: readonly unknown[]): string[] => {
    if (!isObject(schema) || within.includes(schema)) return [];
    const own = Object.entries(objectOf(schema.properties)).filter(([, property]) => isMarked(property));
    return [
      ...own.map(([name]) => name),
      ...combined(schema).flatMap((each) => namesIn(each, [...within, schema])),
    ];
  };
  return (schema) => namesIn(schema, []);
}
