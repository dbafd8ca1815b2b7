/**
 * Creates Ajv for values and documents that nobody has vetted. Every Ajv of this project is created or changed here. By
 * itself, Ajv takes inherited properties such as `constructor` for properties of the value, calls the `toString` of
 * values to compare them, compares all pairs of items for `uniqueItems`, and runs patterns on texts that are too long.
 */
import {
  _,
  type Code,
  type CodeKeywordDefinition,
  type KeywordCxt,
  Name,
  type Options,
  stringify,
} from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { keyOf } from '../../server/lib/ajv-runtime.ts';
import { withoutWorkLimit } from '../../server/lib/work-limit.ts';
import {
  anyOf,
  collectPropertyNames,
  countedKeywords,
  countingWork,
  isOwn,
  runtimeFunction,
} from './ajv-code.ts';
import { contains, keepingMatches, prefixItems, unevaluatedItems } from './ajv-items.ts';
import {
  forAllowedCount,
  forAllowedItems,
  forAllowedLength,
  forAllowedNames,
  forAllowedSizes,
  withInheritedSizes,
} from './ajv-size-guard.ts';
import { anyOfMany, oneOfMany } from './ajv-unions.ts';

type Emit = (context: KeywordCxt, ruleType?: string) => void;

/** Creates Ajv with safe keywords. */
export function createAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020(options);
  const { all } = ajv.RULES;
  for (const [keyword, wrap] of Object.entries(safeKeywords)) {
    const rule = all[keyword];
    if (typeof rule !== 'object' || !('code' in rule.definition)) continue;
    const { code } = rule.definition;
    rule.definition = { ...rule.definition, code: countingWork(keyword, wrap(code)) };
  }
  return ajv;
}

const unchanged = (code: Emit): Emit => code;

const safeKeywords: Readonly<Record<string, (code: Emit) => CodeKeywordDefinition['code']>> = {
  ...Object.fromEntries(countedKeywords.map((keyword) => [keyword, unchanged])),
  maxLength: () => (context) => context.pass(lengthOf(context, 'maxLength')),
  minLength: () => (context) => context.pass(lengthOf(context, 'minLength')),
  pattern: forAllowedLength,
  format: (code) => (context, ruleType) =>
    (ruleType === 'string' ? forAllowedLength : (emit: Emit) => emit)((inner) => code(inner, ruleType))(
      context,
    ),
  uniqueItems: () => forAllowedItems(uniqueItems),
  multipleOf: () => (context) =>
    context.pass(_`${runtimeFunction(context.gen, 'isMultipleOf')}(${context.data}, ${context.schemaCode})`),
  enum: (code) => (context) => {
    if (holdsObject(context.schema)) safeEnum(context);
    else if (isLong(context.schema)) context.pass(isOneOf(context));
    else code(context);
  },
  const: (code) => (context) => (isStructured(context.schema) ? safeEnum(context) : code(context)),
  properties: (code) => (context) => properties(context, forOwnProperties(code)),
  required: forOwnProperties,
  dependentRequired: forOwnProperties,
  dependentSchemas: forOwnProperties,
  contains: () => contains,
  prefixItems,
  unevaluatedItems: () => unevaluatedItems,
  patternProperties: (code) => (context) => patternProperties(context, code),
  propertyNames: forAllowedCount,
  additionalProperties: (code) => keepingMatches((context) => additionalProperties(context, code)),
  unevaluatedProperties: (code) => keepingMatches((context) => unevaluatedProperties(context, code)),
  $ref: (code) => withInheritedSizes(forAllowedSizes(code)),
  ...Object.fromEntries(['allOf', 'not', 'if'].map((keyword) => [keyword, withInheritedSizes])),
  anyOf: (code) => withInheritedSizes(anyOfMany(code)),
  oneOf: (code) => withInheritedSizes(oneOfMany(code)),
};

const isStructured = (value: unknown): value is object => typeof value === 'object' && value !== null;
const holdsObject = (values: unknown): boolean => Array.isArray(values) && values.some(isStructured);

/** Counts the characters of a text only if its number of code units does not decide: a character has one or two. */
function lengthOf({ gen, data, schema: limit }: KeywordCxt, keyword: 'maxLength' | 'minLength'): Code {
  const count = () => _`${runtimeFunction(gen, 'countCharacters')}(${data})`;
  if (keyword === 'maxLength') return _`${data}.length <= ${limit} || ${count()} <= ${limit}`;
  if (limit <= 1) return _`${data}.length >= ${limit}`;
  return _`${data}.length >= ${2 * limit} || (${data}.length >= ${limit} && ${count()} >= ${limit})`;
}

/** A name that `properties` and `additionalProperties` of Ajv ignore. */
const proto = '__proto__';

const hasProto = (properties: unknown): boolean =>
  isStructured(properties) && Object.hasOwn(properties, proto);

/**
 * Emits a keyword so that it ignores inherited properties, if one of its names is inherited by all objects. Ajv's option
 * `ownProperties` for all schemas would double the time of a validation (measured: 49 and 97 µs for 100 contacts).
 */
function forOwnProperties(code: Emit): Emit {
  return (context) => {
    const { opts } = context.it;
    const before = opts.ownProperties;
    if (namesIn(context.schema).some((name) => name in Object.prototype)) opts.ownProperties = true;
    try {
      code(context);
    } finally {
      opts.ownProperties = before ?? false;
    }
  };
}

/** Returns the names in `required`, `dependentRequired`, or in keywords with a schema for each name. */
const namesIn = (value: object): string[] =>
  Array.isArray(value)
    ? value.map(String)
    : Object.entries(value).flatMap(([name, inner]) => [
        name,
        ...(Array.isArray(inner) ? namesIn(inner) : []),
      ]);

function uniqueItems(context: KeywordCxt): void {
  const { gen, data, schema } = context;
  if (schema !== true) return;
  const found = gen.const('duplicate', _`${runtimeFunction(gen, 'findDuplicate')}(${data})`);
  context.setParams({ i: _`${found}.i`, j: _`${found}.j` });
  context.fail(_`${found} !== undefined`);
}

function safeEnum(context: KeywordCxt): void {
  const { gen, data, schema, schemaCode, keyword } = context;
  const equals = runtimeFunction(gen, 'isEqual');
  if (keyword === 'const') context.pass(_`${equals}(${data}, ${schemaCode})`);
  else {
    const values = gen.const('values', schemaCode);
    const each = () => Array.from(schema, (_value, index) => _`${equals}(${data}, ${values}[${index}])`);
    context.pass(isLong(schema) ? isOneOf(context) : anyOf(_`false`, ...each()));
  }
}

/** Whether Ajv would compare a value with those of an enumeration in a loop, so that a list takes quadratic time. */
const isLong = (values: unknown): boolean => Array.isArray(values) && values.length >= 200;

/** Returns code that looks a value up in a set. */
function isOneOf({ gen, data, schema }: KeywordCxt): Code {
  // Schemas are compiled when the first message needs them.
  const keys = withoutWorkLimit(() => Array.from(schema, (value) => keyOf(value)));
  const known = gen.scopeValue('obj', { ref: new Set(keys), code: _`new Set(${stringify(keys)})` });
  return _`${known}.has(${runtimeFunction(gen, 'keyOf')}(${data}))`;
}

function properties(context: KeywordCxt, code: Emit): void {
  const { gen, data, schema, it } = context;
  // Ajv fills in a default only if reading the property gives undefined, which an inherited one does not.
  const inherited = it.opts.useDefaults && !it.compositeRule ? Object.keys(schema) : [];
  for (const name of inherited.filter((each) => each in Object.prototype)) {
    const value: unknown = schema[name].default;
    if (value !== undefined)
      gen.if(
        _`!${isOwn(data, name)}`,
        _`${runtimeFunction(gen, 'defineOwn')}(${data}, ${name}, ${stringify(value)})`,
      );
  }
  code(it.allErrors ? context : Object.create(context, { schema: { value: scalarsFirst(schema) } }));
  if (!hasProto(schema)) return;
  const valid = gen.name('valid');
  const validate = () => {
    context.subschema({ keyword: 'properties', schemaProp: proto, dataProp: proto }, valid);
  };
  gen.if(isOwn(data, proto), validate, () => gen.var(valid, true));
  context.ok(valid);
}

/**
 * Orders properties so that those which can only be scalars come first, constants above all: if one of them is wrong, a
 * validator that stops at the first error does not look into the branches below.
 */
function scalarsFirst(schema: Readonly<Record<string, unknown>>): object {
  const rankOf = (each: unknown) =>
    !isStructured(each) ? 2 : 'const' in each || 'enum' in each ? 0 : isScalar(each) ? 1 : 2;
  const sorted = Object.entries(schema).sort(([, one], [, other]) => rankOf(one) - rankOf(other));
  return Object.fromEntries(sorted);
}

const isScalar = (schema: object): boolean =>
  'type' in schema && /^(string|integer|number|boolean)$/.test(String(schema.type));

/** Skips `patternProperties` for names that are too long, but not the declaration of the properties that it evaluates. */
function patternProperties(context: KeywordCxt, code: Emit): void {
  const { it, parentSchema } = context;
  const { props, items: _items, ...rest } = it;
  // Ajv adds names to what is known at run time, which may be that all properties are evaluated.
  if (props instanceof Name) delete it.props;
  if (parentSchema.additionalProperties !== undefined) it.props = true;
  if (it.opts.unevaluated && it.props !== true) collectPropertyNames(context);
  forAllowedNames(code)(context);
  if (!(props instanceof Name) || it.props === undefined) return;
  const own = { ...rest, props: it.props };
  it.props = props;
  context.mergeEvaluated(own, Name);
}

function additionalProperties(context: KeywordCxt, code: Emit): void {
  const { parentSchema } = context;
  const patterns = { ...parentSchema.patternProperties, [`^${proto}$`]: true };
  const completed: KeywordCxt = hasProto(parentSchema.properties)
    ? Object.create(context, { parentSchema: { value: { ...parentSchema, patternProperties: patterns } } })
    : context;
  (parentSchema.patternProperties === undefined ? code : forAllowedNames(code))(completed);
}

/** Ajv looks names up in an object that maps evaluated properties to true, and that inherits names. */
function unevaluatedProperties(context: KeywordCxt, code: Emit): void {
  const { gen, it, parentSchema } = context;
  const isDeclared = it.props !== true && hasProto(parentSchema.properties);
  if (isDeclared && !(it.props instanceof Name)) collectPropertyNames(context);
  const { props } = it;
  if (props instanceof Name)
    gen.if(_`typeof ${props} == "object"`, () => {
      gen.code(_`Object.setPrototypeOf(${props}, null)`);
      if (isDeclared) gen.code(_`${props}[${proto}] = true`);
    });
  code(context);
}
