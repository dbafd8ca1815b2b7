import openapiTS, {
  astToString,
  type ReferenceObject,
  type SchemaObject,
  transformSchemaObject,
} from 'openapi-typescript';
import type { TypeNode } from 'typescript';
import { isJson } from '../../../server/contract/media-type.ts';
import { isBinary } from '../../../server/contract/multipart-form.ts';
import { isObject, objectOf } from '../../../server/lib/json-object.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { withoutReferencesInData } from '../load/references-in-data.ts';
import { createReferences } from '../model/references.ts';
import {
  createPropertyMarker,
  hasMarkedProperties,
  helperTypes,
  ts,
  typeInDirection,
  withoutHelpers,
} from './read-write-types.ts';
import { schemasForTypes } from './schemas-for-types.ts';

/**
 * Generates TypeScript types for a contract.
 * @param document a bundled OpenAPI 3.1 document
 * @returns the source of a module that exports `paths`, `components` and `operations`. If the contract has read-only or
 * write-only properties, it also exports `Readable` and `Writable`, which resolve the marks of their types.
 */
export async function generateTypes(document: OpenApiDocument): Promise<string> {
  const readable = withoutReferencesInData(document);
  const isMarked = hasMarkedProperties(readable);
  const { json, restore } = escapeNames(withHeadersInPlace(withParameterSchemas(schemasForTypes(readable))));
  const ast = await openapiTS(json, {
    ...(isMarked
      ? {
          readWriteMarkers: true,
          transformProperty: createPropertyMarker(JSON.parse(json)),
          postTransform: (type: TypeNode, { path = '' }: { path?: string | undefined }) =>
            typeInDirection(type, path),
        }
      : {}),
    silent: true,
    // Properties with a default stay optional, because clients may omit them. The operation table lists the query
    // parameters whose defaults the pipeline fills in.
    defaultNonNullable: false,
    transform: (schema, options) =>
      isBinary({ ...schema })
        ? binaryType(options.path ?? '')
        : tupleType(schema, (item) => transformSchemaObject(item, options)),
  });
  const source = restore(astToString(isMarked ? withoutHelpers(ast) : ast));
  return isMarked ? source + helperTypes : source;
}

/**
 * Returns the type of a tuple; undefined for other schemas. Items are optional unless `minItems` demands them, and others may
 * follow unless `items` forbids them.
 */
function tupleType(
  schema: SchemaObject,
  typeOf: (item: SchemaObject | ReferenceObject) => TypeNode,
): TypeNode | undefined {
  if (schema.type !== 'array') return undefined;
  const { prefixItems = [], items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const { factory } = ts;
  const first = prefixItems.map((item, at) =>
    at < minItems ? typeOf(item) : factory.createOptionalTypeNode(typeOf(item)),
  );
  const isClosed = objectOf(schema).items === false || maxItems <= first.length;
  if (first.length === 0 && !isClosed) return undefined;
  const other = isObject(items) ? typeOf(items) : factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword);
  const rest = isClosed ? [] : [factory.createRestTypeNode(factory.createArrayTypeNode(other))];
  return factory.createTupleTypeNode([...first, ...rest]);
}

/** The pipeline passes the files of a form as `File`, and other binary bodies as bytes. In JSON, they are texts. */
function binaryType(path: string): TypeNode | undefined {
  if (/(~1|\+)json(;|\/|$)/.test(path)) return undefined;
  const [file, bytes] = ['File', 'Uint8Array'].map((name) => ts.factory.createTypeReferenceNode(name));
  if (!file || !bytes) return undefined;
  if (path.includes('multipart~1form-data')) return file;
  // A shared schema may describe both a form's file and a binary body.
  return path.includes('#/components/') ? ts.factory.createUnionTypeNode([file, bytes]) : bytes;
}

/** openapi-typescript takes parameters that are described with `content` for text, but handlers get the parsed value. */
const withParameterSchemas = (document: object): object =>
  JSON.parse(JSON.stringify(document), (_key, value) => {
    if (!isObject(value) || typeof value.in !== 'string' || typeof value.name !== 'string') return value;
    const [[mediaType, content] = ['']] = Object.entries(objectOf(value.content));
    const isParsed = isJson(mediaType) || mediaType.includes('*');
    return isParsed && value.schema === undefined ? { ...value, schema: objectOf(content).schema } : value;
  });

/** openapi-typescript 7.13 treats referenced headers as required, so references are resolved first. */
function withHeadersInPlace(document: object): unknown {
  const { follow } = createReferences(document);
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (key !== 'headers' || !isObject(value)) return value;
    const inPlace = Object.entries(value).map(([name, header]) => [
      name,
      isSharedHeader(header) ? follow(header).node : header,
    ]);
    return Object.fromEntries(inPlace);
  });
}

const isSharedHeader = (header: unknown): boolean =>
  /^#\/components\/headers\//.test(String(objectOf(header).$ref));

/** A document in which no name is one that all objects inherit. */
interface EscapedDocument {
  /** As JSON. */
  json: string;
  /** Restores the names in what is generated from the document. */
  restore: (generated: string) => string;
}

/**
 * Gives names such as `toString` a prefix, if they are keys, texts, or parts of references. openapi-typescript takes
 * such names for methods of its own objects, and calls them.
 */
function escapeNames(document: unknown): EscapedDocument {
  const json = JSON.stringify(document);
  const names = Object.getOwnPropertyNames(Object.prototype).filter((name) => json.includes(name));
  if (names.length === 0) return { json, restore: (generated) => generated };
  const prefix = unusedPrefix(json);
  const parts = new RegExp(`(?<=/)(?=(?:${names.join('|')})(?:/|$))`, 'g');
  const escapeName = (text: string): string => (names.includes(text) ? prefix + text : text);
  const visit = (node: unknown): unknown => {
    if (typeof node === 'string')
      return node.startsWith('#/') ? node.replaceAll(parts, prefix) : escapeName(node);
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [escapeName(name), visit(value)]));
  };
  return {
    json: JSON.stringify(visit(document)),
    restore: (generated) => generated.replaceAll(prefix, ''),
  };
}

function unusedPrefix(text: string, number = 0): string {
  const prefix = `Inherited${number}_`;
  return text.includes(prefix) ? unusedPrefix(text, number + 1) : prefix;
}
