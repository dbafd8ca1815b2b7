import { pointerTokens, resolvePointer } from '../../../../scripts/lib/json-pointer.ts';
import { subschemasOf } from '../../../../scripts/testing/schema-values/subschemas.ts';
import { isObject, type JsonObject, listOf, objectOf } from '../../../../server/lib/json-object.ts';
import { escapePointer } from '../../../../server/lib/json-text.ts';
import type { Edit } from './contract-changes.ts';

/** A keyword that a schema may get, with a value. Those that a type ignores are rare mistakes of authors. */
const added: readonly (readonly [keyword: string, value: unknown, type?: string])[] = [
  ['minLength', 2, 'string'],
  ['maxLength', 4, 'string'],
  ['pattern', '^[a-z]*$', 'string'],
  ['format', 'date', 'string'],
  ['minimum', 3, 'integer'],
  ['maximum', 6, 'integer'],
  ['exclusiveMinimum', 3, 'number'],
  ['exclusiveMaximum', 6, 'number'],
  ['multipleOf', 2, 'integer'],
  ['minItems', 2, 'array'],
  ['maxItems', 3, 'array'],
  ['uniqueItems', true, 'array'],
  ['contains', { const: 7 }, 'array'],
  ['items', { type: 'integer' }, 'array'],
  ['prefixItems', [{ type: 'string' }], 'array'],
  ['unevaluatedItems', false, 'array'],
  ['minProperties', 2, 'object'],
  ['maxProperties', 2, 'object'],
  ['additionalProperties', false, 'object'],
  ['additionalProperties', { type: 'string' }, 'object'],
  ['unevaluatedProperties', false, 'object'],
  ['propertyNames', { maxLength: 6 }, 'object'],
  ['patternProperties', { '^x': { type: 'integer' } }, 'object'],
  ['dependentRequired', { title: ['isbn'] }, 'object'],
  ['dependentSchemas', { title: { required: ['isbn'] } }, 'object'],
  ['if', { required: ['title'] }, 'object'],
  ['enum', ['a', 1, null]],
  ['const', 'a'],
  ['not', { const: 'a' }],
  ['not', { type: 'boolean' }],
  ['allOf', [{ minLength: 1 }]],
  ['anyOf', [{ type: 'string' }, { type: 'object' }]],
  ['oneOf', [{ type: 'string' }, { type: ['string', 'integer'] }]],
  ['default', 'a'],
  ['readOnly', true],
  ['writeOnly', true],
  ['deprecated', true],
  ['title', 'A title'],
  ['x-open-enum', true],
];
const types = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

/** Ways to write the same schema, or one that allows more. */
const rewritten: readonly ((schema: JsonObject) => unknown)[] = [
  (schema) => ({ anyOf: [schema] }),
  (schema) => ({ allOf: [schema, {}] }),
  (schema) => ({ oneOf: [schema, { type: 'null' }] }),
  (schema) => ({ anyOf: [schema, { type: 'string' }] }),
  (schema) => ({ not: { not: schema } }),
  () => true,
  () => ({}),
];
const otherStyles: Readonly<Record<string, readonly string[]>> = {
  query: ['pipeDelimited', 'spaceDelimited', 'deepObject'],
  path: ['matrix', 'label'],
};
const otherSecurity = [
  [],
  [{ key: [] }],
  [{}, { bearer: [] }],
  [{ bearer: [], key: [] }],
  [{ oauth: ['books:read'] }],
  [{ oauth: ['books:delete'] }],
];

const isOfSchema = /(\/schema|^\/components\/schemas\/[^/]+)$/;
/** Objects without which a document is still valid, as far as the comparison needs it. */
const isRemovable =
  /^\/(paths|webhooks)\/[^/]+(\/(get|put|post|delete))?$|^\/servers\/\d+$|\/(parameters|headers|content)\/[^/]+$|^(?!\/components\/responses).*\/responses\/[^/]+(\/content)?$|\/requestBod(y|ies\/[^/]+)$/;

/** Lists changes of one place of a document: of each keyword of its schemas, and of each part of its operations. */
export function mutationsOf(document: object): Edit[][] {
  const edits: Edit[][] = [];
  const one = (pointer: string, value?: unknown): void => {
    const before = resolvePointer(document, pointer);
    if (JSON.stringify(before) !== JSON.stringify(value)) edits.push([[pointer, value]]);
  };
  /** Moves a value to another key of the same object. */
  const rename = (pointer: string, key: string) => {
    const value = resolvePointer(document, pointer);
    edits.push([[pointer], [`${pointer.slice(0, pointer.lastIndexOf('/'))}/${escapePointer(key)}`, value]]);
  };
  const toggle = (pointer: string) => one(pointer, resolvePointer(document, pointer) !== true);
  const schema = (node: JsonObject, at: string): void => {
    for (const [word, value] of Object.entries(node)) {
      if (/^x-(deprecated|sunset)/.test(word)) continue;
      one(`${at}/${word}`);
      if (typeof value === 'number')
        for (const next of [value - 1, value + 1, value * 2]) one(`${at}/${word}`, next);
      if (typeof value === 'boolean') one(`${at}/${word}`, !value);
    }
    const type = [node.type ?? []].flat();
    if ('$ref' in node) one(at, resolvePointer(document, String(node.$ref).slice(1)));
    for (const [word, value, only] of added)
      if (
        !(word in node) &&
        (only === undefined || type.includes(only) || (only === 'integer' && type.includes('number')))
      )
        one(`${at}/${word}`, value);
    for (const next of types.filter((each) => type.length > 0 && !type.includes(each))) {
      one(`${at}/type`, next);
      one(`${at}/type`, [...type, next]);
    }
    for (const rewrite of rewritten) one(at, rewrite(node));
    for (const [index, value] of listOf(node.enum).entries()) {
      if (listOf(node.enum).length > 1) one(`${at}/enum/${index}`);
      if (typeof value === 'string') one(`${at}/enum/${index}`, `${value}s`);
    }
    if (Array.isArray(node.enum)) one(`${at}/enum/-`, 'other');
    const required = listOf(node.required);
    for (const index of required.keys()) one(`${at}/required/${index}`);
    for (const name of Object.keys(objectOf(node.properties))) {
      const own = `${at}/properties/${escapePointer(name)}`;
      one(own);
      rename(own, `${name}s`);
      if (!required.includes(name)) one(`${at}/required`, [...required, name]);
    }
    if (isObject(node.properties)) {
      one(`${at}/properties/added`, { type: 'integer' });
      edits.push([
        [`${at}/properties/added`, {}],
        [`${at}/required`, [...required, 'added']],
      ]);
    }
    for (const word of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
      const list = listOf(node[word]);
      for (const index of list.keys()) if (list.length > 1) one(`${at}/${word}/${index}`);
      if (list.length > 0) one(`${at}/${word}/-`, { type: 'array', maxItems: 1 });
      if (list.length > 1) one(`${at}/${word}`, list.toReversed());
    }
    for (const each of subschemasOf(node)) {
      // The pointers of subschemas are not escaped.
      const [, word = '', name] = /^\/([^/]+)(?:\/(.*))?$/.exec(each.at) ?? [];
      const own = name === undefined ? `${at}/${word}` : `${at}/${word}/${escapePointer(name)}`;
      if (isObject(each.schema)) schema(each.schema, own);
    }
  };
  const parameter = (node: JsonObject, at: string): void => {
    const place = String(node.in);
    for (const style of otherStyles[place] ?? []) one(`${at}/style`, style);
    one(`${at}/explode`, node.explode === false);
    one(`${at}/allowReserved`, true);
    one(`${at}/deprecated`, true);
    if (place === 'path') return;
    toggle(`${at}/required`);
    one(`${at}/name`, `${String(node.name)}s`);
    if (place === 'header') one(`${at}/name`, String(node.name).toUpperCase());
    for (const other of ['query', 'header', 'cookie']) one(`${at}/in`, other);
  };
  const operation = (node: JsonObject, at: string): void => {
    const more = { name: 'more', in: 'query', schema: { type: 'string' } };
    for (const required of [false, true])
      one(`${at}/parameters`, [...listOf(node.parameters), { ...more, required }]);
    if (!node.requestBody)
      one(`${at}/requestBody`, { required: true, content: { 'application/json': { schema: {} } } });
    one(`${at}/responses/429`, { description: 'Too many.' });
    for (const security of otherSecurity) one(`${at}/security`, security);
    one(`${at}/operationId`, 'renamed');
    one(`${at}/servers`, [{ url: 'https://{region}.books.example/v3' }]);
  };
  const securityScheme = ({ type, in: place }: JsonObject, at: string): void => {
    if (type === 'apiKey') one(`${at}/name`, 'X-Other');
    if (type === 'apiKey') one(`${at}/in`, place === 'header' ? 'cookie' : 'header');
    if (type === 'http') one(`${at}/scheme`, 'basic');
    one(at, { type: 'http', scheme: 'digest' });
  };
  const path = (_node: JsonObject, at: string) => {
    if (!at.includes('{')) rename(at, `${keyOf(at)}s`);
  };
  const mediaType = (_node: JsonObject, at: string) => {
    for (const key of ['application/vnd.other+json', `${keyOf(at)}; charset=utf-8`]) rename(at, key);
  };
  /** The mutations of each kind of object, by the end of its pointer. */
  const kinds: readonly (readonly [end: RegExp, mutate: (node: JsonObject, at: string) => void])[] = [
    [isOfSchema, schema],
    [isRemovable, (_node, at) => one(at)],
    [/\/parameters\/\d+$/, parameter],
    [/^\/paths\/[^/]+$/, path],
    [/^\/(paths|webhooks)\/[^/]+\/(get|put|post|delete)$/, operation],
    [/\/(requestBody|requestBodies\/[^/]+|headers\/[^/]+)$/, (_node, at) => toggle(`${at}/required`)],
    [/\/content$/, (_node, at) => one(`${at}/application~1xml`, { schema: { type: 'string' } })],
    [/\/content\/[^/]+$/, mediaType],
    [
      /^(?!\/components\/responses).*\/responses\/[^/]+$/,
      (_node, at) => rename(at, at.endsWith('/200') ? '202' : '5XX'),
    ],
    [/^\/components\/securitySchemes\/[^/]+$/, securityScheme],
    [/^\/servers\/\d+$/, (_node, at) => one(`${at}/url`, 'https://{region}.books.example/v4')],
  ];
  const visit = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null || at.endsWith('/callbacks')) return;
    if (isObject(node)) for (const [end, mutate] of kinds) if (end.test(at)) mutate(node, at);
    // Schemas visit their own parts.
    if (isOfSchema.test(at)) return;
    for (const [key, inner] of Object.entries(node)) visit(inner, `${at}/${escapePointer(key)}`);
  };
  visit(document, '');
  return edits;
}

/** Returns the last name of a pointer. */
const keyOf = (pointer: string): string => pointerTokens(pointer).at(-1) ?? '';
