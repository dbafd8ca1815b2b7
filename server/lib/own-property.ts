/** Reads and writes properties whose names come from a client or a document, and may be names that all objects inherit. */

/** Returns an own property; undefined if the object has none with the name. */
export const ownOf = <Value>(
  object: Readonly<Record<string, Value>> | null | undefined,
  name: string,
): Value | undefined => (object && Object.hasOwn(object, name) ? object[name] : undefined);

/** Sets an own property, even one with the name `__proto__`, for which an assignment would set the prototype. */
export function defineOwn(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Merges objects; later ones take precedence. `Object.assign` would set the prototype for the name `__proto__`. */
export const mergeOwn = <Value>(
  objects: readonly (Readonly<Record<string, Value>> | undefined)[],
): Record<string, Value> => Object.fromEntries(objects.flatMap((each) => Object.entries(each ?? {})));
