declare const content: unique symbol;

/** The validated body of a request. Only `readBody` gives access to its properties. */
export interface RequestBody<out Content> {
  readonly [content]: Content;
}

/**
 * Reads a body. Does not compile if `read` ignores a property that the contract accepts.
 * @param read destructures the body. Returns the result, and the properties that remain: `({ name, ...rest }) =>
 * [name, rest]`. A property that has no effect is assigned to a variable whose name begins with `_`.
 */
export function readBody<Content, Result>(
  body: RequestBody<Content>,
  read: (content: Content) => readonly [read: Result, remaining: Record<string, never>],
): Result {
  // A body has its type only at compile time. At run time it is the validated JSON value.
  return read(body as unknown as Content)[0];
}
