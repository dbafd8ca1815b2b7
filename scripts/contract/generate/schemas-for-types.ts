import { isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { unescapePointer } from '../../../server/lib/json-text.ts';
import { hasJsonType } from '../../../server/lib/json-type.ts';
import { dereference } from '../../lib/json-pointer.ts';
import { oncePer } from '../../lib/once.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { listedValues, mappedPointer, selectedBranches } from '../compile/discriminator-branches.ts';
import { decodedPointerOf } from '../compile/document-pointers.ts';
import { mapObjects, mapsOfNames } from '../load/visit-objects.ts';

/**
 * Writes the schemas of a document with keywords that openapi-typescript 7.13 understands: it ignores those beside `$ref`,
 * joins `anyOf` to the keywords beside it as an alternative, forbids properties of objects that list none, and trusts the
 * names of a discriminator more than the values that its branches list.
 */
export function schemasForTypes(document: OpenApiDocument): object {
  const bases = new Set(
    Object.values(document.components?.schemas ?? {}).flatMap((heir) =>
      listOf(objectOf(heir).allOf).map((part) => objectOf(part).$ref),
    ),
  );
  const mapped = oncePer((mapping: unknown) =>
    Map.groupBy(Object.entries(objectOf(mapping)), ([, target]) => mappedPointer(String(target))),
  );
  const ids = new Set(idsOfOperations(document));
  const changed = mapObjects(
    document,
    (node) => node,
    (copy, key, pointer, original) => {
      if (key === 'responses' && pointer.startsWith('/paths/')) return withSuccess(copy);
      if (mapsOfNames.test(key)) return copy;
      if (typeof copy.operationId === 'string' && !isOperation.test(pointer))
        return pointer.includes('/callbacks/') ? { ...copy, operationId: undefined } : withOwnId(copy, ids);
      return steps.reduce(
        (schema, step) => step(schema, { document, bases, mapped, original, pointer }),
        copy,
      );
    },
  );
  return objectOf(changed);
}

const isOperation = /^\/paths\/[^/]+\/[^/]+$/;

const idsOfOperations = ({ paths = {} }: OpenApiDocument): unknown[] =>
  Object.values(paths).flatMap((item) => Object.values(item).map((each) => objectOf(each).operationId));

/** Removes the ID of a callback, a webhook or a shared path item that another operation has: it is the name of a type. */
function withOwnId({ operationId, ...others }: JsonObject, ids: Set<unknown>): JsonObject {
  if (ids.has(operationId)) return others;
  ids.add(operationId);
  return { ...others, operationId };
}

/** openapi-fetch reads `default` as an error, even if no other response is successful. */
const withSuccess = (responses: JsonObject): JsonObject =>
  responses.default === undefined || Object.keys(responses).some((status) => /^[123]/.test(status))
    ? responses
    : { ...responses, '2XX': responses.default };

interface Place {
  document: OpenApiDocument;
  /** References to the shared schemas that others extend with `allOf`. */
  bases: ReadonlySet<unknown>;
  /** Returns the entries of a discriminator's mapping by the schema that they name. */
  mapped: (mapping: unknown) => ReadonlyMap<string, readonly [value: string, target: unknown][]>;
  /** The schema as the document has it. */
  original: JsonObject;
  pointer: string;
}

type Step = (schema: JsonObject, place: Place) => JsonObject;

/** Gives each branch of a discriminator the values that select it. */
const withSelection: Step = ({ discriminator, ...schema }, { document, original }) => {
  if (!isObject(discriminator)) return schema;
  const union = ['oneOf', 'anyOf'].find((keyword) => Array.isArray(schema[keyword]));
  const selected = selectedBranches(document, original);
  if (union === undefined || !selected) return schema;
  const { property, pointers } = selected;
  const branches = listOf(schema[union]).map((branch) => {
    const target = decodedPointerOf(String(objectOf(branch).$ref));
    const all = [...pointers].filter((each) => each[1] === target).map(([value]) => value);
    const named = all.filter((value) => selected.values.includes(value));
    const values: unknown[] = named.length > 0 ? named : all;
    const isListed = listedValues(document, branch, property)?.every((each) => values.includes(each));
    return isListed
      ? branch
      : { allOf: [branch, { type: 'object', properties: { [property]: { enum: values } } }] };
  });
  return { ...schema, [union]: branches };
};

/** Gives a shared schema the values that select it by the discriminator of a schema that it extends. */
const withOwnKind: Step = (schema, { document, bases, mapped, pointer }) => {
  const [, name] = /^\/components\/schemas\/([^/]+)$/.exec(pointer) ?? [];
  // The values of the schemas that extend it are also its own.
  if (name === undefined || bases.has(`#${pointer}`)) return schema;
  const kinds = listOf(schema.allOf).flatMap((part) => {
    const { discriminator, oneOf, anyOf } = objectOf(dereference(document, part));
    const { propertyName: property, mapping } = objectOf(discriminator);
    if (typeof property !== 'string' || oneOf || anyOf || listedValues(document, schema, property)) return [];
    const values = mapped(mapping)
      .get(pointer)
      ?.map(([value]) => value) ?? [unescapePointer(name)];
    return [{ type: 'object', properties: { [property]: { enum: values } } }];
  });
  return kinds.length === 0 ? schema : { ...schema, allOf: [...listOf(schema.allOf), ...kinds] };
};

/** The type of a shared schema that is a list of itself would be circular. */
const withoutOwnItems: Step = (schema, { pointer }) => {
  const { $ref } = objectOf(schema.items);
  const [around] = /^\/components\/schemas\/[^/]+(?=(\/(oneOf|anyOf|allOf)\/\d+)*$)/.exec(pointer) ?? [];
  return around !== undefined && $ref === `#${around}` ? { ...schema, items: {} } : schema;
};

/** Keywords with schemas inside. */
const nesting = /^(items|prefixItems|(pattern|additional)?properties|(all|any|one)Of)$/i;

/** Types have one index signature, and it applies to the documented properties, too. */
const withEntries: Step = (schema) => {
  const { properties = {}, patternProperties = {}, additionalProperties: others } = schema;
  const patterns = Object.values(objectOf(patternProperties));
  const known = Object.values(objectOf(properties));
  const isOpen = others === undefined && !shapes.some((keyword) => Object.hasOwn(schema, keyword));
  if (isOpen && [schema.type].flat().includes('object')) return { ...schema, additionalProperties: true };
  if (known.length === 0 || (patterns.length === 0 && !isObject(others))) return schema;
  const { patternProperties: _joined, ...rest } = schema;
  const entries = [...(isObject(others) ? [others] : []), ...patterns, ...known];
  // Copies of nested schemas would double the types with each level.
  const isFlat = known.every((each) => !Object.keys(objectOf(each)).some((keyword) => nesting.test(keyword)));
  return { ...rest, additionalProperties: isFlat ? { anyOf: entries } : true };
};

/** openapi-typescript ignores the constant `null`. */
const withNull: Step = (schema) => {
  const { const: value, ...rest } = schema;
  return value === null ? { ...rest, type: 'null' } : schema;
};

/** openapi-typescript takes definitions for a property, and adds `null` to the values of a nullable enumeration. */
const withValues: Step = ({ $defs: _definitions, ...schema }) => {
  const { enum: values, type, properties, required, additionalProperties: others, ...rest } = schema;
  if (!Array.isArray(values)) return schema;
  return { ...rest, enum: values.filter((value) => type === undefined || hasJsonType(value, [type].flat())) };
};

/** Describes the properties that are required, but described elsewhere or not at all. */
const withRequired: Step = (schema) => {
  const { required, additionalProperties: others } = schema;
  const properties = objectOf(schema.properties);
  const missing = listOf(required)
    .map(String)
    .filter((name) => !Object.hasOwn(properties, name));
  if (missing.length === 0) return schema;
  const added = missing.map((name) => [name, isObject(others) ? others : {}]);
  return { ...schema, properties: { ...properties, ...Object.fromEntries(added) } };
};

/** Moves `$ref`, `oneOf` and `anyOf` into `allOf` if other keywords apply too, and what is required. */
const withCombined: Step = (schema) => {
  const { $ref, oneOf, anyOf, allOf, ...rest } = schema;
  const beside = Object.entries({ $ref, oneOf, anyOf }).filter(([, value]) => value !== undefined);
  if (allOf === undefined && beside.length + Number(describesValues(rest)) < 2) return schema;
  const { type, properties, required, ...others } = rest;
  const own = required === undefined ? [] : [{ type, properties, required }];
  const parts = [...listOf(allOf), ...beside.map(([keyword, value]) => ({ [keyword]: value })), ...own];
  const describing = parts.filter((part) => !isObject(part) || describesValues(part));
  return {
    ...(required === undefined ? rest : others),
    allOf: describing.length > 0 ? describing : parts,
  };
};

const steps = [
  ...[withSelection, withOwnKind, withoutOwnItems, withEntries],
  ...[withNull, withValues, withRequired, withCombined],
];

/** Keywords that need a type of their own. */
const shapes = [
  ...['$ref', 'properties', 'patternProperties', 'allOf', 'anyOf', 'oneOf'],
  ...['enum', 'const', 'prefixItems', 'items'],
];

const describesValues = ({ type = 'object', additionalProperties: others, ...rest }: JsonObject): boolean =>
  type !== 'object' || isObject(others) || shapes.some((keyword) => Object.hasOwn(rest, keyword));
