import { type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { dereference } from '../../lib/json-pointer.ts';
import { isHttpMethod } from '../../lib/openapi-document.ts';

/**
 * Prepares the bodies and forms of Swagger 2.0, which are parameters there, for the library that converts them: it reads
 * them only in operations, without references, and it leaves out the default format of arrays.
 * @param document a bundled document, which is not changed
 */
export function prepareSwaggerBodies(document: JsonObject): JsonObject {
  const prepared = (given: unknown): JsonObject => {
    const parameter = objectOf(dereference(document, given));
    if (!isPartOfBody(parameter)) return objectOf(given);
    const isFormArray = parameter.in === 'formData' && parameter.type === 'array';
    return isFormArray ? { collectionFormat: 'csv', ...parameter } : parameter;
  };
  const withBodies = (item: unknown): JsonObject => {
    const { parameters, ...rest } = objectOf(item);
    const shared = listOf(parameters).map(prepared);
    const operations = Object.entries(rest).map(([key, each]): [string, unknown] => {
      if (!isHttpMethod(key)) return [key, each];
      const own = listOf(objectOf(each).parameters).map(prepared);
      const inherited = shared.filter(
        (body) => isPartOfBody(body) && !own.some((other) => overrides(other, body)),
      );
      return [key, { ...objectOf(each), parameters: [...inherited, ...own] }];
    });
    return { parameters: shared.filter((each) => !isPartOfBody(each)), ...Object.fromEntries(operations) };
  };
  const paths = Object.entries(objectOf(document.paths)).map(([path, item]) => [path, withBodies(item)]);
  return { ...document, paths: Object.fromEntries(paths) };
}

const isPartOfBody = (parameter: JsonObject): boolean =>
  parameter.in === 'body' || parameter.in === 'formData';

/** Place and name identify a parameter. An operation has one body. */
const overrides = (own: JsonObject, shared: JsonObject): boolean =>
  own.in === shared.in && (own.in === 'body' || own.name === shared.name);
