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
  /** Adds a schema and those combined with it. Each is read once, because many paths can lead to the same schema. */
  const collect = (schema: unknown, found: Set<Readonly<Record<string, unknown>>>): typeof found => {
    if (!isObject(schema) || found.has(schema)) return found;
    found.add(schema);
    if (typeof schema.$ref === 'string') collect(resolve(schema.$ref), found);
    for (const each of listOf(schema.allOf)) collect(each, found);
    return found;
  };
  const combinedWith = (schema: unknown) => [...collect(schema, new Set())];
  const isMarked = (schema: unknown) => combinedWith(schema).some((each) => each[mark] === true);
  return (schema) =>
    combinedWith(schema).flatMap(({ properties }) =>
      Object.entries(objectOf(properties)).flatMap(([name, property]) => (isMarked(property) ? [name] : [])),
    );
}
