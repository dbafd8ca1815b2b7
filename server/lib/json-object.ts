/** An object of a JSON document, of unknown shape. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value if it is an object, or else an empty one. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Returns the value if it is a list, or else an empty one. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns the properties of an object. For any other value, the result is empty. */
export const entriesOf = (value: unknown): [string, unknown][] => Object.entries(objectOf(value));
