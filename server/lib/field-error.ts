/** An invalid location in a request, and the reason. */
export interface FieldError {
  /** The location, such as `query/page` or `/fields/0/value`. */
  field: string;
  message: string;
}

/**
 * Returns the location of a value as errors name it: a JSON Pointer into the body, `body` for all of it, or the part of
 * the message with the name of a parameter or header.
 * @param location JSON Pointer into the body; otherwise `/NAME`, with a pointer into the value
 */
export const fieldOf = (part: string, location: string): string =>
  part === 'body' ? location || 'body' : `${part}${location}`;

// Limits on what is reported, because a body of 1 MB can have thousands of invalid locations, and a location can be as
// long as the body.
const maxFields = 50;
const maxFieldLength = 256;

/**
 * Formats field errors as the message and the `fields` of an error response, and lists them. Each location appears once,
 * with the first error reported for it.
 */
export function describeFieldErrors(errors: readonly FieldError[]): {
  message: string;
  fields: string;
  violations: readonly FieldError[];
} {
  const byField = new Map<string, string>();
  for (const { field, message } of errors) {
    const shortened = field.length > maxFieldLength ? `${field.slice(0, maxFieldLength)}…` : field;
    // Messages of libraries may end with a full stop, and the sentence gets one of its own.
    if (!byField.has(shortened)) byField.set(shortened, withoutFullStops(message));
  }
  const named = [...byField].slice(0, maxFields).map(([field, message]) => [copyOf(field), message] as const);
  return {
    message: `${named.map(([field, message]) => `${field} ${message}`.trim()).join('; ')}.`,
    fields: named
      .map(([field]) => field)
      .filter(Boolean)
      .join(', '),
    violations: named.map(([field, message]) => ({ field, message })),
  };
}

/** Copies a text. V8 keeps the whole text of which another one is a part, as long as the part is kept. */
const copyOf = (text: string): string => text.split('').join('');

/** A pattern for the end would be tried from each full stop on, in quadratic time. */
function withoutFullStops(message: string): string {
  let end = message.length;
  while (message[end - 1] === '.') end -= 1;
  return message.slice(0, end);
}
