import { upgrade } from '@scalar/openapi-upgrader';
import { isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { dereference } from '../../lib/json-pointer.ts';
import { isHttpMethod, type OpenApiDocument } from '../../lib/openapi-document.ts';
import type { Note } from './diagnosis.ts';
import { mapObjects, mapsOfNames } from './visit-objects.ts';

/** A document that was converted to OpenAPI 3.1. */
export interface ConvertedDocument {
  document: OpenApiDocument;
  /** The parts that were left out, because OpenAPI 3.1 does not have them, or they had no effect. */
  ignored: Note[];
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
  const { document: own, ignored } = removeUnsupported(parsed);
  const prepared = swagger === undefined ? own : prepareSwaggerBodies(objectOf(own));
  const upgraded = withFormats(upgrade({ ...prepared }, '3.1'));
  const document = swagger === undefined ? upgraded : mapObjects(upgraded, withRequiredForm);
  return isOpenApi31(document) ? { document, ignored } : undefined;
}

/** Precedes a format that the library would replace by keywords that restrict no JSON. */
const hidden = '\u{e000}';

const withFormats = (upgraded: unknown): unknown =>
  mapObjects(upgraded, (node) =>
    typeof node.format === 'string' && node.format.startsWith(hidden)
      ? { ...node, format: node.format.slice(1) }
      : node,
  );

const isOpenApi31 = (document: unknown): document is OpenApiDocument =>
  typeof document === 'object' &&
  document !== null &&
  'openapi' in document &&
  typeof document.openapi === 'string' &&
  document.openapi.startsWith('3.1.');

/** References, and keywords that describe a value without restricting it. */
const annotations =
  /^(\$ref|title|summary|description|default|deprecated|readOnly|writeOnly|examples?|externalDocs|x-.*)$/;

const kept = (node: JsonObject, names: RegExp): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([name]) => names.test(name)));

/** Whether a parameter of Swagger 2.0 is a list of lists, which have delimiters of their own. */
const hasLists = (node: JsonObject): boolean =>
  typeof node.in === 'string' && node.type === 'array' && objectOf(node.items).type === 'array';

/** Whether OpenAPI 3 has no style for a list of Swagger 2.0: for tabs, and for other delimiters than commas outside of queries. */
const isUndelimited = ({ type, collectionFormat = 'csv', in: location }: JsonObject): boolean =>
  type === 'array' &&
  (collectionFormat === 'tsv' ||
    (/^(ssv|pipes)$/.test(String(collectionFormat)) && /^(path|header)$/.test(String(location))));

/**
 * Removes what is lost in the conversion. OpenAPI 3.0 and Swagger 2.0 ignore the keywords next to references that restrict
 * values, but OpenAPI 3.1 applies them, so some schemas would allow no value. Lists that cannot be split become texts.
 * @param parsed a bundled document of these versions, which is not changed
 * @returns the document, and the place of the first of each kind
 */
function removeUnsupported(parsed: object): { document: object; ignored: Note[] } {
  const ignored = new Map<string, Note>();
  const note = (kind: string, what: string, pointer: string) => {
    if (!ignored.has(kind)) ignored.set(kind, noteAbout(what, pointer));
  };
  const document = mapObjects(
    parsed,
    (node) => node,
    (node, key, pointer) => {
      if (mapsOfNames.test(key)) return node;
      if (isUndelimited(node) || hasLists(node)) {
        note('list', 'Delimiters of lists that OpenAPI 3 does not have (collectionFormat)', pointer);
        if (!isUndelimited(node)) return { ...node, items: { type: 'string' } };
        return { ...kept(node, /^(name|in|description|required)$/), type: 'string' };
      }
      if (typeof node.$ref !== 'string')
        return /^(byte|binary)$/.test(String(node.format)) ? { ...node, format: hidden + node.format } : node;
      const removed = Object.keys(node).find((name) => !annotations.test(name));
      if (removed === undefined) return node;
      const what = `Keywords next to references, such as ${removed}, which OpenAPI before 3.1 ignores,`;
      note('reference', what, pointer);
      return kept(node, annotations);
    },
  );
  return { document: objectOf(document), ignored: [...ignored.values()] };
}

const noteAbout = (parts: string, pointer?: string): Note => ({
  ...(pointer === undefined ? {} : { pointer }),
  sentence: `${parts} are not supported, and left out.`,
});

/** Requires the form of a converted operation, if a field of it is required. */
const withRequiredForm = (node: JsonObject, key: string): JsonObject => {
  const needed = Object.entries(objectOf(node.content)).some(
    ([type, media]) => forms.includes(type) && listOf(objectOf(objectOf(media).schema).required).length > 0,
  );
  return key === 'requestBody' && needed ? { ...node, required: true } : node;
};

const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/**
 * Prepares the bodies and forms of Swagger 2.0, which are parameters there, for the library that converts them: it reads
 * them only in operations, without references, it leaves out the default format of arrays, and it sends forms as multipart
 * if `consumes` names no form.
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
      const parameters = [...inherited, ...own];
      const fields = parameters.filter((parameter) => parameter.in === 'formData');
      const consumes = listOf(objectOf(each).consumes ?? document.consumes);
      const allowed = fields.some(({ type }) => type === 'file') ? forms.slice(1) : forms;
      const isUnclear = fields.length > 0 && !consumes.some((type) => forms.includes(String(type)));
      return [key, { ...objectOf(each), ...(isUnclear ? { consumes: allowed } : {}), parameters }];
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

/**
 * Converts OpenAPI 3.2 to 3.1. Parts that only 3.2 has are left out.
 * @param parsed a bundled document
 */
function downgradeDocument(parsed: object): { document: object; ignored: Note[] } {
  const ignored = new Set<string>();
  const without = (node: JsonObject, part: keyof typeof unsupported, isUnsupported: boolean): JsonObject => {
    if (!Object.hasOwn(node, part) || !isUnsupported) return node;
    ignored.add(unsupported[part]);
    const { [part]: _, ...others } = node;
    return others;
  };
  const isQueryString = (parameter: unknown) => objectOf(parameter).in === 'querystring';
  const visit = (given: JsonObject, key: string): JsonObject => {
    if (key === 'paths' || key === 'webhooks')
      return Object.fromEntries(
        Object.entries(given).map(([path, item]) => {
          if (!isObject(item)) return [path, item];
          return [path, without(without(item, 'query', isObject(item.query)), 'additionalOperations', true)];
        }),
      );
    const { dataValue, ...node } = without(
      without(given, 'itemSchema', isObject(given.itemSchema)),
      'defaultMapping',
      key === 'discriminator',
    );
    if (dataValue !== undefined) node.value ??= dataValue;
    if (node.style === 'cookie') node.style = 'form';
    if (Array.isArray(node.parameters) && node.parameters.some(isQueryString)) {
      ignored.add(unsupported.querystring);
      node.parameters = node.parameters.filter((each) => !isQueryString(each));
    }
    return node;
  };
  const { $self: _, ...document } = objectOf(mapObjects(parsed, visit));
  return {
    document: { ...document, openapi: '3.1.1' },
    ignored: Array.from(ignored, (part) => noteAbout(part)),
  };
}
