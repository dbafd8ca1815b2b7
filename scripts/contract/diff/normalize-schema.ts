import { mapSubschemas } from '../../testing/schema-values/keywords.ts';
import {
  canonicalJson,
  isObject,
  type JsonSchema,
  type SchemaObject,
  typeOf,
} from '../../testing/schema-values/schema.ts';
import { mergeAllOf, type ResolveReference } from './normalize-all-of.ts';

/** Words that allow and forbid nothing, and whose change changes nothing for a program. */
const annotations = [
  'title',
  'description',
  'examples',
  'example',
  '$comment',
  'externalDocs',
  'xml',
  '$schema',
];

/** What these close has a name of its own. */
const closing = ['additionalProperties', 'unevaluatedProperties', 'items', 'unevaluatedItems'];

/** Of our own words those that say when something goes. */
const ofLifecycle = ['x-deprecated-since', 'x-sunset'];

export const isAnnotation = (word: string): boolean =>
  annotations.includes(word) || (word.startsWith('x-') && !ofLifecycle.includes(word));

/** What forbids nothing, by keyword. */
const trifles: Readonly<Record<string, unknown>> = {
  minLength: 0,
  minItems: 0,
  minProperties: 0,
  minContains: 1,
  uniqueItems: false,
  required: [],
  properties: {},
  deprecated: false,
  readOnly: false,
  writeOnly: false,
};

/**
 * A schema in the form that all schemas have which allow the same, as far as it can be proven by rewriting: annotations
 * are left out, `const` is an `enum` of one, combinations of one are opened, `allOf` is joined where nothing is lost.
 * @param resolve follows a reference into the document
 * @param within the references that have been followed to come here
 * @returns a new schema; the one that is given is left as it is
 */
export function normalizeSchema(
  schema: JsonSchema,
  resolve: ResolveReference,
  within: readonly string[] = [],
): JsonSchema {
  if (typeof schema === 'boolean') return schema ? {} : false;
  const plain = Object.fromEntries(
    Object.entries(schema).filter(
      ([word, value]) =>
        !isAnnotation(word) && !(word in trifles && canonicalJson(trifles[word]) === canonicalJson(value)),
    ),
  );
  const inside = mapSubschemas(plain, (inner, keyword) => {
    const normal = normalizeSchema(inner, resolve, within);
    // Ajv names the place of what refuses a value, but not that of a `false`.
    return normal === false && !closing.includes(keyword) ? { not: {} } : normal;
  });
  return withPlainValues(
    mergeAllOf(withoutChoiceOfValues(inside), (reference) => {
      const target = within.includes(reference) ? undefined : resolve(reference);
      return target === undefined ? undefined : normalizeSchema(target, resolve, [...within, reference]);
    }),
  );
}

function withPlainValues(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const { const: only, ...rest } = schema;
  const next: SchemaObject =
    'const' in schema && rest.enum === undefined ? { ...rest, enum: [only] } : { ...schema };
  if (Array.isArray(next.enum)) {
    next.enum = distinct(next.enum.filter((value) => fitsType(next.type, value)));
    // Where the type is not said, the values say it.
    next.type ??= [...new Set(next.enum.map(typeOf))];
  }
  if (Array.isArray(next.required)) next.required = [...new Set(next.required)].sort();
  if (next.type !== undefined) next.type = plainType([next.type].flat());
  if (next.type === 'integer' && typeof next.exclusiveMinimum === 'number' && next.minimum === undefined) {
    next.minimum = Math.floor(next.exclusiveMinimum) + 1;
    delete next.exclusiveMinimum;
  }
  if (next.type === 'integer' && typeof next.exclusiveMaximum === 'number' && next.maximum === undefined) {
    next.maximum = Math.ceil(next.exclusiveMaximum) - 1;
    delete next.exclusiveMaximum;
  }
  return next;
}

function plainType(types: string[]): string | string[] {
  const left = [...new Set(types)].filter((type) => type !== 'integer' || !types.includes('number')).sort();
  const [first] = left;
  return left.length === 1 && first !== undefined ? first : left;
}

const distinct = (values: unknown[]): unknown[] =>
  [...new Map(values.map((value) => [canonicalJson(value), value]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);

/** A choice between values, or between something and null, said without a choice. */
function withoutChoiceOfValues(schema: SchemaObject): SchemaObject {
  for (const word of ['anyOf', 'oneOf'] as const) {
    const { [word]: branches, ...rest } = schema;
    if (!Array.isArray(branches)) continue;
    const values = valuesIn(branches);
    if (
      values &&
      rest.enum === undefined &&
      rest.const === undefined &&
      (word === 'anyOf' || areApart(values))
    )
      return { ...rest, enum: values.flat() };
    const orNull = asNullable(branches);
    if (orNull && Object.keys(rest).every((each) => !(each in orNull))) return { ...rest, ...orNull };
  }
  return schema;
}

/** The values of each branch, where it has nothing but values. */
function valuesIn(branches: readonly JsonSchema[]): unknown[][] | undefined {
  const lists = branches.map((branch) => {
    if (!isObject(branch)) return undefined;
    const { type, enum: listed, const: only, ...others } = branch;
    const values = Array.isArray(listed)
      ? listed
      : 'const' in branch
        ? [only]
        : type === 'null'
          ? [null]
          : undefined;
    return Object.keys(others).length === 0 ? values?.filter((value) => fitsType(type, value)) : undefined;
  });
  return lists.every((list) => list !== undefined) ? lists : undefined;
}

function fitsType(type: unknown, value: unknown): boolean {
  if (type === undefined) return true;
  const types = [type].flat();
  return types.includes(typeOf(value)) || (typeOf(value) === 'integer' && types.includes('number'));
}

const areApart = (lists: unknown[][]): boolean =>
  new Set(lists.flat().map(canonicalJson)).size === lists.flatMap((list) => distinct(list)).length;

/** Keywords that look at values of other types than null only. */
const blindToNull =
  /^(type|format|pattern|m(in|ax)[A-Z]\w*|m(in|ax)imum|exclusive\w+|multipleOf|items|prefixItems|uniqueItems|contains|properties|patternProperties|additionalProperties|propertyNames|required|dependentRequired)$/;

/** `anyOf: [S, { type: null }]` as S with one type more, where S says nothing that null would break. */
function asNullable(branches: readonly JsonSchema[]): SchemaObject | undefined {
  const [one, other, ...more] = branches;
  if (more.length > 0 || !isObject(one) || !isObject(other)) return undefined;
  const isNull = (schema: object) => canonicalJson(schema) === canonicalJson({ type: 'null' });
  const some: SchemaObject = isNull(one) ? other : one;
  if (isNull(one) === isNull(other) || some.type === undefined || [some.type].flat().includes('null'))
    return undefined;
  return Object.keys(some).every((word) => blindToNull.test(word))
    ? { ...some, type: [...[some.type].flat(), 'null'] }
    : undefined;
}
