/* Short forms of what the documents of tests consist of. */

export const string = { type: 'string' };
export const integer = { type: 'integer' };
export const number = { type: 'number' };
export const boolean = { type: 'boolean' };
export const array = (items: object) => ({ type: 'array', items });
export const strings = array(string);
export const integers = array(integer);

/** An object, some of whose properties are required. */
export const object = (properties: object, ...required: string[]) => ({
  ...{ type: 'object', properties },
  ...(required.length === 0 ? {} : { required }),
});

/** An object whose properties have any names. */
export const map = (values: object) => ({ type: 'object', additionalProperties: values });

export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The member of a body with its schema. */
export const content = (schema: object, type = 'application/json') => ({ content: { [type]: { schema } } });

/** Responses with the same JSON, by their status codes. */
export const responses = (schema: object, ...statuses: number[]) =>
  Object.fromEntries(statuses.map((status) => [status, { description: 'Any.', ...content(schema) }]));

/** A document. @param more its other members, such as `components` */
export const documentOf = (paths: Record<string, object>, more: object = {}) => ({
  openapi: '3.1.1',
  info: { title: 'T', version: '1' },
  paths,
  ...more,
});
