import { resolvePointer } from '../../../../scripts/lib/json-pointer.ts';
import { isHttpMethod } from '../../../../scripts/lib/openapi-document.ts';
import { subschemasOf } from '../../../../scripts/testing/schema-values/keywords.ts';
import { isObject, type JsonObject, listOf, objectOf } from '../../../../server/lib/json-object.ts';
import { escapePointer } from '../../../../server/lib/json-text.ts';
import type { Edit } from './contract-change.ts';

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
  const schema = (node: unknown, at: string): void => {
    if (!isObject(node)) return;
    for (const [word, value] of Object.entries(node)) {
      if (/^x-(deprecated|sunset)/.test(word)) continue;
      one(`${at}/${word}`);
      if (typeof value === 'number')
        for (const next of [value - 1, value + 1, value * 2]) one(`${at}/${word}`, next);
      if (typeof value === 'boolean') one(`${at}/${word}`, !value);
    }
    const type = listOf(node.type ?? []).concat(typeof node.type === 'string' ? [node.type] : []);
    if ('$ref' in node) one(at, resolvePointer(document, String(node.$ref).slice(1)));
    for (const [word, value, only] of added)
      if (
        !(word in node) &&
        (only === undefined || type.includes(only) || (only === 'integer' && type.includes('number')))
      )
        one(`${at}/${word}`, value);
    if (type.length > 0)
      for (const next of types) {
        if (!type.includes(next)) {
          one(`${at}/type`, next);
          one(`${at}/type`, [...type, next]);
        }
      }
    for (const wrapped of [
      { anyOf: [node] },
      { allOf: [node, {}] },
      { oneOf: [node, { type: 'null' }] },
      { anyOf: [node, { type: 'string' }] },
      { not: { not: node } },
      true,
      {},
    ])
      one(at, wrapped);
    for (const [index, value] of listOf(node.enum).entries()) {
      if (listOf(node.enum).length > 1) one(`${at}/enum/${index}`);
      if (typeof value === 'string') one(`${at}/enum/${index}`, `${value}s`);
    }
    if (Array.isArray(node.enum)) one(`${at}/enum/-`, 'other');
    for (const index of listOf(node.required).keys()) one(`${at}/required/${index}`);
    for (const name of Object.keys(objectOf(node.properties))) {
      const own = `${at}/properties/${escapePointer(name)}`;
      one(own);
      rename(own, `${name}s`);
      if (Array.isArray(node.required) && !node.required.includes(name)) one(`${at}/required/-`, name);
      if (!Array.isArray(node.required)) one(`${at}/required`, [name]);
    }
    if (isObject(node.properties)) {
      one(`${at}/properties/added`, { type: 'integer' });
      edits.push([
        [`${at}/properties/added`, {}],
        [`${at}/required`, [...listOf(node.required), 'added']],
      ]);
    }
    for (const word of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
      const list = listOf(node[word]);
      for (const index of list.keys()) if (list.length > 1) one(`${at}/${word}/${index}`);
      if (list.length > 0) {
        one(`${at}/${word}/-`, { type: 'array', maxItems: 1 });
        if (list.length > 1) one(`${at}/${word}`, list.toReversed());
      }
    }
    for (const each of subschemasOf(node)) {
      // The pointers of subschemas are not escaped.
      const [, word = '', name] = /^\/([^/]+)(?:\/(.*))?$/.exec(each.at) ?? [];
      schema(each.schema, name === undefined ? `${at}/${word}` : `${at}/${word}/${escapePointer(name)}`);
    }
  };
  const media = (content: unknown, at: string): void => {
    if (!isObject(content)) return;
    for (const [type, each] of Object.entries(content)) {
      const own = `${at}/${escapePointer(type)}`;
      one(own);
      rename(own, 'application/vnd.other+json');
      rename(own, `${type}; charset=utf-8`);
      if (isObject(each)) schema(each.schema, `${own}/schema`);
    }
    one(`${at}/${escapePointer('application/xml')}`, { schema: { type: 'string' } });
  };
  const parameter = (node: unknown, at: string): void => {
    if (!isObject(node)) return;
    one(at);
    if (node.in !== 'path') one(`${at}/required`, node.required !== true);
    if (node.in !== 'path') one(`${at}/name`, `${String(node.name)}s`);
    if (node.in === 'header') one(`${at}/name`, String(node.name).toUpperCase());
    for (const place of ['query', 'header', 'cookie'])
      if (node.in !== 'path' && node.in !== place) one(`${at}/in`, place);
    one(`${at}/explode`, node.explode === false);
    for (const style of {
      query: ['pipeDelimited', 'spaceDelimited', 'deepObject'],
      path: ['matrix', 'label'],
    }[String(node.in)] ?? [])
      if (node.style !== style) one(`${at}/style`, style);
    one(`${at}/allowReserved`, true);
    one(`${at}/deprecated`, true);
    schema(node.schema, `${at}/schema`);
    media(node.content, `${at}/content`);
  };
  const body = (node: unknown, at: string): void => {
    if (!isObject(node) || '$ref' in node) return;
    one(at);
    one(`${at}/required`, node.required !== true);
    media(node.content, `${at}/content`);
  };
  const responses = (node: unknown, at: string): void => {
    for (const [status, each] of Object.entries(objectOf(node))) {
      one(`${at}/${status}`);
      rename(`${at}/${status}`, status === '200' ? '202' : '5XX');
      response(each, `${at}/${status}`);
    }
    one(`${at}/429`, { description: 'Too many.' });
  };
  const response = (node: unknown, at: string): void => {
    if (!isObject(node)) return;
    for (const [name, header] of Object.entries(objectOf(node.headers))) {
      one(`${at}/headers/${name}`);
      if (!isObject(header)) continue;
      one(`${at}/headers/${name}/required`, header.required !== true);
      schema(header.schema, `${at}/headers/${name}/schema`);
    }
    if (node.content) one(`${at}/content`);
    media(node.content, `${at}/content`);
  };
  const operation = (node: JsonObject, at: string): void => {
    one(at);
    for (const [index, each] of listOf(node.parameters).entries())
      parameter(each, `${at}/parameters/${index}`);
    const more = { name: 'more', in: 'query', schema: { type: 'string' } };
    for (const required of [false, true])
      one(`${at}/parameters`, [...listOf(node.parameters), { ...more, required }]);
    body(node.requestBody, `${at}/requestBody`);
    if (!node.requestBody)
      one(`${at}/requestBody`, { required: true, content: { 'application/json': { schema: {} } } });
    responses(node.responses, `${at}/responses`);
    for (const security of [
      [],
      [{ key: [] }],
      [{}, { bearer: [] }],
      [{ bearer: [], key: [] }],
      [{ oauth: ['books:read'] }],
      [{ oauth: ['books:delete'] }],
    ])
      if (JSON.stringify(node.security) !== JSON.stringify(security)) one(`${at}/security`, security);
    one(`${at}/operationId`, 'renamed');
    one(`${at}/servers`, [{ url: 'https://{region}.books.example/v3' }]);
  };
  const { paths, webhooks, components, servers } = Object.fromEntries(Object.entries(document));
  for (const [where, items] of [
    ['paths', paths],
    ['webhooks', webhooks],
  ] as const)
    for (const [path, item] of Object.entries(objectOf(items))) {
      const at = `/${where}/${escapePointer(path)}`;
      one(at);
      if (where === 'paths' && !path.includes('{')) rename(at, `${path}s`);
      if (!isObject(item)) continue;
      for (const [index, each] of listOf(item.parameters).entries())
        parameter(each, `${at}/parameters/${index}`);
      for (const [method, each] of Object.entries(item))
        if (isHttpMethod(method) && isObject(each)) operation(each, `${at}/${method}`);
    }
  const shared = objectOf(components);
  for (const [name, each] of Object.entries(objectOf(shared.schemas)))
    schema(each, `/components/schemas/${name}`);
  for (const [name, each] of Object.entries(objectOf(shared.requestBodies)))
    body(each, `/components/requestBodies/${name}`);
  for (const [name, each] of Object.entries(objectOf(shared.responses)))
    response(each, `/components/responses/${name}`);
  for (const [name, each] of Object.entries(objectOf(shared.securitySchemes))) {
    const at = `/components/securitySchemes/${name}`;
    if (!isObject(each)) continue;
    if (each.type === 'apiKey') {
      one(`${at}/name`, 'X-Other');
      one(`${at}/in`, each.in === 'header' ? 'cookie' : 'header');
    }
    if (each.type === 'http') one(`${at}/scheme`, 'basic');
    one(at, { type: 'http', scheme: 'digest' });
  }
  for (const index of listOf(servers).keys()) {
    one(`/servers/${index}`);
    one(`/servers/${index}/url`, 'https://{region}.books.example/v4');
  }
  return edits;
}
