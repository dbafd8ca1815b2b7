import { isObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { hasJsonType } from '../../../server/lib/json-type.ts';
import { dereference, resolvePointer } from '../../lib/json-pointer.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { isHint } from '../../testing/schema-values/format-generators.ts';
import { canonicalJson, isSchema } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { mapObjects } from './visit-objects.ts';

/** A keyword of a document that may need a repair. */
interface RepairablePart {
  value: unknown;
  /** The object that has the keyword. */
  node: Record<string, unknown>;
  /** Leads to `node`. */
  pointer: string;
  document: OpenApiDocument;
  /** Returns the context of the whole document. */
  context: () => SchemaContext;
}

interface Repair {
  /** The new value; undefined if the keyword is removed. */
  value: unknown;
  /** The new keyword, if it changes. */
  keyword?: string;
  /** Tells the user what is ignored, or read differently. */
  sentence?: string;
}

/** Returns the repair of a keyword; undefined if it needs none. */
type Rule = (part: RepairablePart) => Repair | undefined;
export type Rules = Readonly<Record<string, Rule>>;

/** Removes a keyword. @param sentence tells the user */
const ignored = (sentence: string): Repair => ({ value: undefined, sentence });

/** Values of `enum` that the type forbids leave no valid value. */
const repairEnum: Rule = ({ value, node, pointer }) => {
  if (!Array.isArray(value)) return undefined;
  if (value.length === 0)
    return ignored(`The enum at ${pointer} is empty, so no value would be valid. It is ignored.`);
  const fits = node.type === undefined || value.some((each) => hasJsonType(each, [node.type].flat()));
  return fits
    ? undefined
    : ignored(
        `No value of the enum at ${pointer} has the type that the schema demands. The enum is ignored.`,
      );
};

/** A default that is not valid would make every request invalid that omits the value. */
const repairDefault: Rule = ({ value, node, pointer, context }) => {
  if (node.format === 'int64' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return ignored(
      `The default at ${pointer} exceeds 2^53-1, so JavaScript does not represent it exactly. It is ignored.`,
    );
  const schema = resolvePointer(context().document, pointer);
  try {
    if (!isSchema(schema) || context().isValid(schema, value)) return undefined;
  } catch {
    return undefined;
  }
  return ignored(`The default at ${pointer} violates its own schema, and is ignored.`);
};

/** A property that is required but forbidden would make every value invalid. */
const repairRequired: Rule = ({ value, node, pointer, document }) => {
  const isOpen = node.additionalProperties !== false || node.patternProperties !== undefined;
  if (!Array.isArray(value) || isOpen || isClosedByMistake(document, node)) return undefined;
  const properties = isObject(node.properties) ? node.properties : {};
  const forbidden = value.filter((name) => !Object.hasOwn(properties, String(name)));
  if (forbidden.length === 0) return undefined;
  return {
    value: value.filter((name) => !forbidden.includes(name)),
    sentence: `The schema at ${pointer} requires ${forbidden.join(', ')}, but forbids it. It is not required.`,
  };
};

/** A type that no branch allows leaves no valid value. */
const repairType: Rule = ({ value, node, pointer, document }) => {
  const branches = [node.oneOf ?? node.anyOf ?? []].flat();
  const types = branches.map((branch) => {
    const schema = dereference(document, branch);
    return isObject(schema) && schema.type !== undefined ? [schema.type].flat() : undefined;
  });
  const isAllowed = types.some((each) => each === undefined || each.some((type) => overlaps(type, value)));
  return branches.length === 0 || isAllowed
    ? undefined
    : ignored(`No branch at ${pointer} allows the type ${[value].flat().join(', ')}. It is ignored.`);
};

const overlaps = (type: unknown, types: unknown): boolean =>
  [types]
    .flat()
    .some((each) => each === type || [each, type].every((one) => /^(integer|number)$/.test(String(one))));

const excludesNull = (document: object, part: unknown): boolean => {
  const schema = dereference(document, part);
  return isObject(schema) && schema.type !== undefined && ![schema.type].flat().includes('null');
};

/** The rules for keywords of schemas. */
export const schemaRules: Rules = {
  // OpenAPI 3.1 does not have it.
  nullable: ({ value }) => (typeof value === 'boolean' ? { value: undefined } : undefined),
  pattern({ value, pointer }) {
    if (typeof value !== 'string') return undefined;
    const pattern = repairPattern(value);
    return pattern === undefined
      ? ignored(`The pattern at ${pointer} is no regular expression of JavaScript, and is ignored.`)
      : { value: pattern };
  },
  patternProperties({ value }) {
    if (!isObject(value)) return undefined;
    const repaired = Object.entries(value).map(([name, each]) => {
      const pattern = repairPattern(name) ?? name;
      return [Object.hasOwn(value, pattern) ? name : pattern, each];
    });
    return { value: Object.fromEntries(repaired) };
  },
  type: repairType,
  // `nullable: true` of OpenAPI 3.0 reads as if it extended the schema to which `allOf` refers.
  allOf({ value, node, pointer, document }) {
    const isNullable = [node.type].flat().includes('null') && Array.isArray(value);
    if (!isNullable || !value.some((part) => excludesNull(document, part))) return undefined;
    const sentence = `The schema at ${pointer} rejects null, although it is nullable, because its allOf does. Remove its type (OpenAPI 3.0), or write anyOf with { type: 'null' } (3.1).`;
    return { value, sentence };
  },
  enum: repairEnum,
  default: repairDefault,
  required: repairRequired,
  additionalProperties: ({ node, pointer, document }) =>
    isClosedByMistake(document, node)
      ? ignored(
          `additionalProperties at ${pointer} forbids properties that its allOf requires. It is ignored.`,
        )
      : undefined,
  oneOf({ value, node, pointer, document }) {
    const overlap =
      Array.isArray(value) && node.anyOf === undefined ? overlapOfBranches(document, value) : undefined;
    if (overlap === undefined) return undefined;
    return { keyword: 'anyOf', value, sentence: `oneOf at ${pointer} has ${overlap}. It is read as anyOf.` };
  },
};

/** Maximum depth of nested `allOf`. It may be circular. */
const maxDepth = 10;

/**
 * Whether a schema forbids, with `additionalProperties: false`, properties that its own `allOf` requires or describes as
 * required. No value would be valid, because `additionalProperties` does not see the properties of `allOf`.
 */
function isClosedByMistake(document: object, schema: Record<string, unknown>): boolean {
  if (schema.additionalProperties !== false || !Array.isArray(schema.allOf)) return false;
  if (schema.patternProperties !== undefined) return false;
  const parts = schema.allOf.flatMap((part) => partsOf(document, part));
  const described = new Set(parts.flatMap((part) => Object.keys(objectOf(part.properties))));
  const own = objectOf(schema.properties);
  const requiredHere = namesIn(schema.required).filter((name) => described.has(name));
  return [...requiredHere, ...parts.flatMap((part) => namesIn(part.required))].some(
    (name) => !Object.hasOwn(own, name),
  );
}

/** Returns a schema and the parts of its `allOf`, at any depth. */
function partsOf(document: object, part: unknown, depth = 0): Record<string, unknown>[] {
  const schema = dereference(document, part);
  if (!isObject(schema) || depth > maxDepth) return [];
  const parts: unknown[] = Array.isArray(schema.allOf) ? schema.allOf : [];
  return [schema, ...parts.flatMap((each) => partsOf(document, each, depth + 1))];
}

const namesIn = (required: unknown): string[] => listOf(required).map(String);

/**
 * Finds branches of a `oneOf` that no value can match alone.
 * @returns what the `oneOf` has, for a sentence; undefined if there are no such branches
 */
function overlapOfBranches(document: object, branches: readonly unknown[]): string | undefined {
  const textOf = (schema: unknown) => canonicalJson(withoutAnnotations(dereference(document, schema)));
  const texts = branches.map(textOf);
  if (new Set(texts).size < texts.length) return 'equal branches, so no value matches exactly one';
  const includesAnother = (branch: unknown): boolean => {
    const schema = dereference(document, branch);
    const parts: unknown = isObject(schema) ? schema.allOf : undefined;
    return Array.isArray(parts) && parts.some((part) => texts.includes(textOf(part)));
  };
  return branches.some(includesAnother)
    ? 'a branch that includes another, so no value matches only it'
    : undefined;
}

const isAnnotation = (keyword: string, value: unknown): boolean =>
  /^(title|description|default|examples?|content(Encoding|MediaType)|x-.*)$/.test(keyword) ||
  (keyword === 'format' && isHint(value));

const withoutAnnotations = (schema: unknown): unknown =>
  mapObjects(schema, (node) =>
    Object.fromEntries(Object.entries(node).filter(([name, each]) => !isAnnotation(name, each))),
  );

/**
 * Converts a pattern to an ECMAScript regular expression with the flag `u`, which JSON Schema 2020-12 requires. Removes
 * needless escapes, escapes literal braces and hyphens, replaces `\A` and `\z` with `^` and `$`, removes the
 * slashes of `/^…/`, which would match no text, and simplifies nested repetition.
 * @returns undefined if the result is still not valid in ECMAScript
 */
export function repairPattern(pattern: string): string | undefined {
  const literal = /^\/(\^.*)\/([a-z]*)$/s.exec(pattern);
  if (literal) return literal[2]?.includes('i') ? undefined : repairPattern(literal[1] ?? '');
  if (isPattern(pattern)) return withoutNestedRepetition(pattern);
  const unescaped = pattern.replaceAll(/\\(.)/gs, (escaped, character: string) => {
    if (character === 'A') return '^';
    if (/z/i.test(character)) return '$';
    if (character === '-') return String.raw`\x2d`;
    return /[^\w^$\\.*+?()[\]{}|/]|_/.test(character) ? character : escaped;
  });
  // Without the flag, a brace that repeats nothing and a hyphen beside a class are literal.
  const tokens = /\\[pPu]\{[^}]*\}?|\\.|\[(?:\\.|[^\]\\])*\]?|\{\d+(?:,\d*)?\}|[{}\]]/gs;
  const repaired = isPattern(unescaped)
    ? unescaped
    : unescaped.replaceAll(tokens, (token) => {
        if (token.length === 1) return `\\${token}`;
        if (!token.startsWith('[')) return token;
        return token.replaceAll(/(\\[dsw])-(?!\])|-(?=\\[dsw])/gi, String.raw`$1\x2d`);
      });
  return isPattern(repaired) ? withoutNestedRepetition(repaired) : undefined;
}

/** Matches a group that repeats one character or class, and is itself repeated. It skips other classes and escapes. */
const nestedRepetition =
  /\((?:\?:)?(\[(?:\\.|[^\]\\])*\]|\\.|[^\\()[\]{}|*+?^$])([*+])\)([*+])|\\.|\[(?:\\.|[^\]\\])*\]/gs;

/**
 * Replaces `([a-z]*)*` with `[a-z]*`, which matches the same texts. The original takes exponential time for texts that do
 * not match. A pattern with references to groups is not changed.
 */
const withoutNestedRepetition = (pattern: string): string =>
  /\\[1-9k]/.test(pattern)
    ? pattern
    : pattern.replaceAll(nestedRepetition, (all, repeated?: string, inner?: string, outer?: string) =>
        repeated === undefined ? all : `${repeated}${inner === '+' && outer === '+' ? '+' : '*'}`,
      );

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    return false;
  }
}
