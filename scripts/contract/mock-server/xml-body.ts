import { isObject } from '../../../server/lib/json-object.ts';
import type { JsonSchema, SchemaObject } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { schemasOf, schemasOfProperty } from './map-body.ts';

/** Whether bodies of a media type are XML (RFC 7303). */
export const isXml = (mediaType: string): boolean =>
  /^(application|text)\/([^;]+\+)?xml *(;|$)/i.test(mediaType);

/** Returns a value as XML, with the names that the XML Objects of its schema describe (OAS 3.1.1, section 4.8.26). */
export function xmlOf(context: SchemaContext, schema: JsonSchema, value: unknown): string {
  const schemas = schemasOf(context, [schema]);
  const root = componentName(schema) ?? 'root';
  const item = componentName(itemsOf(schemas)) ?? root;
  const content = Array.isArray(value)
    ? inElement(xmlIn(schemas), root, '', elements(context, schemas, item, value))
    : elements(context, schemas, root, value);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${content}`;
}

interface Xml {
  name?: string;
  namespace?: string;
  prefix?: string;
  attribute?: boolean;
  wrapped?: boolean;
}

const xmlIn = (schemas: readonly SchemaObject[]): Xml => schemas.find(({ xml }) => isObject(xml))?.xml ?? {};

const componentName = (schema: JsonSchema | undefined): string | undefined =>
  isObject(schema) ? /^#\/components\/schemas\/([^/]+)$/.exec(String(schema.$ref))?.[1] : undefined;

const itemsOf = (schemas: readonly SchemaObject[]): JsonSchema | undefined =>
  schemas.find(({ items }) => items !== undefined)?.items;

/** Returns an element for a value, or one for each item of a list that has no element of its own. */
function elements(
  context: SchemaContext,
  schemas: readonly SchemaObject[],
  name: string,
  value: unknown,
): string {
  const xml = xmlIn(schemas);
  if (Array.isArray(value)) {
    const items = schemasOf(context, [itemsOf(schemas)]);
    const own = xml.wrapped ? (xml.name ?? name) : name;
    const written = value.map((item) => elements(context, items, own, item)).join('');
    return xml.wrapped ? inElement(xml, name, '', written) : written;
  }
  if (!isObject(value)) return inElement(xml, name, '', textOf(value));
  const members = Object.entries(value).map(([key, each]) => ({
    key,
    each,
    own: schemasOfProperty(context, schemas, key),
  }));
  const attributes = members.filter(({ own }) => xmlIn(own).attribute);
  return inElement(
    xml,
    name,
    attributes.map(({ key, each, own }) => ` ${nameOf(xmlIn(own), key)}="${textOf(each)}"`).join(''),
    members
      .filter((member) => !attributes.includes(member))
      .map(({ key, each, own }) => elements(context, own, key, each))
      .join(''),
  );
}

function inElement(xml: Xml, name: string, attributes: string, content: string): string {
  const { namespace, prefix } = xml;
  const declared =
    namespace === undefined ? '' : ` xmlns${prefix ? `:${prefix}` : ''}="${textOf(namespace)}"`;
  const tag = nameOf(xml, name);
  return `<${tag}${declared}${attributes}>${content}</${tag}>`;
}

/** Replaces the characters that names in XML cannot have. */
const nameOf = ({ name, prefix }: Xml, key: string): string =>
  (prefix ? `${prefix}:` : '') + (name ?? key).replaceAll(/[^\w.-]/g, '_').replace(/^(?=[\d.-]|$)/, '_');

/** Escapes the characters with a meaning in XML, and leaves out those that XML forbids. */
const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value))
    .replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
