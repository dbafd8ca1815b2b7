import { upgrade } from '@scalar/openapi-upgrader';
import { isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { defineOwn } from '../../../server/lib/own-property.ts';
import { dereference } from '../../lib/json-pointer.ts';
import { isHttpMethod, type OpenApiDocument } from '../../lib/openapi-document.ts';
import { holdsData, mapsOfNames } from './visit-objects.ts';

/** A document that was converted to OpenAPI 3.1. */
export interface ConvertedDocument {
  document: OpenApiDocument;
  /** Descriptions of the parts that were left out, because OpenAPI 3.1 does not have them, or they had no effect. */
  ignored: string[];
}

/**
 * Converts OpenAPI 3.2, OpenAPI 3.0 and Swagger 2.0 to OpenAPI 3.1. An OpenAPI 3.1 document is returned unchanged.
 * @param parsed a bundled document
 * @returns undefined if the document has none of these versions
 */
export function convertDocument(parsed: unknown): ConvertedDocument | undefined {
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const { openapi, swagger }: { openapi?: unknown; swagger?: unknown } = parsed;
  const writtenIn = String(openapi ?? swagger);
  if (isOpenApi31(parsed)) return { document: parsed, ignored: [] };
  if (/^3\.2(\.|$)/.test(writtenIn)) {
    const { document, ignored } = downgradeDocument(parsed);
    return isOpenApi31(document) ? { document, ignored } : undefined;
  }
  if (!/^(3\.0(\.|$)|2\.0$)/.test(writtenIn)) return undefined;
  const { document: own, hasRemoved } = removeReferenceSiblings(parsed);
  const prepared = swagger === undefined ? own : prepareSwaggerBodies(objectOf(own));
  const document: unknown = upgrade({ ...prepared }, '3.1');
  const ignored = hasRemoved ? ['Keywords next to references, which OpenAPI before 3.1 ignores,'] : [];
  if (JSON.stringify(own).includes('"collectionFormat":"tsv"'))
    ignored.push('Tabs between values (collectionFormat: tsv)');
  return isOpenApi31(document) ? { document, ignored } : undefined;
}

const isOpenApi31 = (document: unknown): document is OpenApiDocument =>
  typeof document === 'object' &&
  document !== null &&
  'openapi' in document &&
  typeof document.openapi === 'string' &&
  document.openapi.startsWith('3.1.');

/** Keywords that describe a value without restricting it. */
const annotations =
  /^(title|summary|description|default|deprecated|readOnly|writeOnly|examples?|externalDocs|x-.*)$/;

/**
 * Removes the keywords next to references that restrict values: OpenAPI 3.0 and Swagger 2.0 ignore them, but OpenAPI 3.1
 * applies them, so some schemas would allow no value after the conversion.
 * @param parsed a bundled document of these versions, which is not changed
 * @returns the document, and whether there were such keywords
 */
function removeReferenceSiblings(parsed: object): { document: object; hasRemoved: boolean } {
  let hasRemoved = false;
  const visit = (node: unknown, key: string): unknown => {
    if (holdsData.test(key)) return node;
    if (Array.isArray(node)) return node.map((each) => visit(each, ''));
    if (!isObject(node)) return node;
    const isMap = mapsOfNames.test(key);
    const isReference = !isMap && typeof node.$ref === 'string';
    const entries = Object.entries(node).filter(
      ([name]) => !isReference || name === '$ref' || annotations.test(name),
    );
    if (entries.length < Object.keys(node).length) hasRemoved = true;
    return Object.fromEntries(entries.map(([name, each]) => [name, visit(each, isMap ? 'member' : name)]));
  };
  const document = visit(parsed, '');
  return { document: isObject(document) ? document : parsed, hasRemoved };
}

/**
 * Prepares the bodies and forms of Swagger 2.0, which are parameters there, for the library that converts them: it reads
 * them only in operations, without references, and it leaves out the default format of arrays.
 * @param document a bundled document, which is not changed
 */
function prepareSwaggerBodies(document: JsonObject): JsonObject {
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

/** Parts of OpenAPI 3.2 that have no equivalent in 3.1, with the descriptions used in messages. */
const unsupported = {
  query: 'operations with the method QUERY',
  additionalOperations: 'operations with other methods (additionalOperations)',
  querystring: 'parameters that describe the whole query (in: querystring)',
  itemSchema: 'schemas of streamed items (itemSchema)',
  defaultMapping: 'the default of discriminators (defaultMapping)',
} as const;

/** A document after conversion to OpenAPI 3.1. */
interface DowngradedDocument {
  document: unknown;
  /** Descriptions of the parts that were left out. */
  ignored: string[];
}

/**
 * Converts OpenAPI 3.2 to 3.1. Parts that only 3.2 has are left out.
 * @param parsed a bundled document
 */
function downgradeDocument(parsed: object): DowngradedDocument {
  const ignored = new Set<string>();
  const leaveOut = (part: keyof typeof unsupported) => void ignored.add(unsupported[part]);
  const visit = (node: unknown, key: string): unknown => {
    if (Array.isArray(node))
      return node
        .filter((each) => {
          const isQueryString = key === 'parameters' && isObject(each) && each.in === 'querystring';
          if (isQueryString) leaveOut('querystring');
          return !isQueryString;
        })
        .map((each) => visit(each, ''));
    if (!isObject(node) || holdsData.test(key)) return node;
    const copy: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(node)) {
      if (mapsOfNames.test(key)) defineOwn(copy, name, visit(value, 'member'));
      else if (isPathItem(key) && name === 'query' && isObject(value)) leaveOut('query');
      else if (isPathItem(key) && name === 'additionalOperations') leaveOut('additionalOperations');
      else if (name === 'itemSchema' && isObject(value)) leaveOut('itemSchema');
      else if (key === 'discriminator' && name === 'defaultMapping') leaveOut('defaultMapping');
      else if (name === 'dataValue') copy.value ??= value;
      else if (name === 'style' && value === 'cookie') copy.style = 'form';
      else defineOwn(copy, name, visit(value, key === 'paths' || key === 'webhooks' ? 'path item' : name));
    }
    return copy;
  };
  const { $self: _, ...document } = asNode(visit(parsed, ''));
  return { document: { ...document, openapi: '3.1.1' }, ignored: [...ignored] };
}

const isPathItem = (key: string): boolean => key === 'path item';
const asNode = (node: unknown): Record<string, unknown> => (isObject(node) ? node : {});
