import { isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { listedValues, selectedBranches } from '../compile/discriminator-branches.ts';
import { decodedPointerOf } from '../compile/document-pointers.ts';
import { mapObjects, mapsOfNames } from '../load/visit-objects.ts';

/**
 * Writes the schemas of a document with keywords that openapi-typescript 7.13 understands: it ignores those beside `$ref`,
 * joins `anyOf` to the keywords beside it as an alternative, forbids properties of objects that list none, and trusts the
 * names of a discriminator more than the values that its branches list.
 */
export function schemasForTypes(document: OpenApiDocument): object {
  const shared = Object.values(document.components?.schemas ?? {});
  const links = shared.flatMap((heir) => listOf(objectOf(heir).allOf).map((part) => ({ heir, part })));
  const heirs = Map.groupBy(links, ({ part }) => objectOf(part).$ref);
  const changed = mapObjects(
    document,
    (node) => node,
    (copy, key, pointer, original) => {
      if (key === 'responses' && pointer.startsWith('/paths/')) return withSuccess(copy);
      const place = { document, heirs, original, pointer };
      return mapsOfNames.test(key) ? copy : steps.reduce((schema, step) => step(schema, place), copy);
    },
  );
  return objectOf(changed);
}

/** openapi-fetch reads `default` as an error, even if no other response is successful. */
const withSuccess = (responses: JsonObject): JsonObject =>
  responses.default === undefined || Object.keys(responses).some((status) => /^[123]/.test(status))
    ? responses
    : { ...responses, '2XX': responses.default };

interface Place {
  document: OpenApiDocument;
  /** The shared schemas with a reference in `allOf`, by reference. */
  heirs: ReadonlyMap<unknown, readonly { heir: unknown }[]>;
  /** The schema as the document has it. */
  original: JsonObject;
  pointer: string;
}

type Step = (schema: JsonObject, place: Place) => JsonObject;

/** Gives each branch of a discriminator the values that select it. */
const withSelection: Step = ({ discriminator, ...schema }, { document, heirs, original, pointer }) => {
  if (!isObject(discriminator)) return discriminator === undefined ? schema : { ...schema, discriminator };
  const union = ['oneOf', 'anyOf'].find((keyword) => Array.isArray(schema[keyword]));
  const { propertyName } = discriminator;
  if (union === undefined) {
    const own = heirs.get(`#${pointer}`) ?? [];
    const isListed = own.some(({ heir }) => listedValues(document, heir, String(propertyName)));
    return isListed ? schema : { ...schema, discriminator };
  }
  const selected = selectedBranches(document, original);
  if (!selected) return schema;
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

/** Moves `$ref`, `oneOf` and `anyOf` into `allOf` if other keywords apply too, and copies `required` out of its parts. */
const withCombined: Step = (schema) => {
  const { $ref, oneOf, anyOf, allOf, ...rest } = schema;
  const beside = Object.entries({ $ref, oneOf, anyOf }).filter(([, value]) => value !== undefined);
  if (allOf === undefined && beside.length + Number(describesValues(rest)) < 2) return schema;
  const parts = [...listOf(allOf), ...beside.map(([keyword, value]) => ({ [keyword]: value }))];
  const required = [rest, ...parts].flatMap((part) => listOf(objectOf(part).required));
  const describing = parts.filter(
    (part) => !isObject(part) || describesValues({ ...part, required: undefined }),
  );
  return {
    ...rest,
    allOf: describing.length > 0 ? describing : parts,
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
  };
};

const steps = [withSelection, withoutOwnItems, withEntries, withNull, withCombined];

/** Keywords that need a type of their own. */
const shapes = [
  ...['$ref', 'properties', 'patternProperties', 'allOf', 'anyOf', 'oneOf'],
  ...['enum', 'const', 'prefixItems', 'items'],
];

const describesValues = ({
  type = 'object',
  additionalProperties: others,
  required,
  ...rest
}: JsonObject): boolean =>
  type !== 'object' ||
  isObject(others) ||
  Array.isArray(required) ||
  shapes.some((keyword) => Object.hasOwn(rest, keyword));
