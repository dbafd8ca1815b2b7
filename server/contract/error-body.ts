import type { FieldError } from '../lib/field-error.ts';
import { isObject, type JsonObject, listOf, objectOf } from '../lib/json-object.ts';
import { ownOf } from '../lib/own-property.ts';
import { pathOfField } from './errors.ts';
import { statusPhrase } from './status-phrase.ts';

/** The parts of an error that the body of its response can contain. */
export interface ErrorText {
  status: number;
  message: string;
  /** The kind of the error, for texts that identify it, such as `errorCode`. */
  errorName: string;
  /** Whether the media type is that of problem documents (RFC 9457). */
  isProblem?: boolean;
  /** The invalid locations of the request, for the list that the body may have of them. */
  violations?: readonly FieldError[];
  /** The location, if the body is an item of this list. */
  path?: string;
}

/** Names of properties that contain the text of an error. */
const textName = /^(message|msg|detail|details|description|error|error_?message|reason|title)$/i;
/** Names of properties that list the invalid locations, and of properties of their items with the location. */
const listName = /^(errors|details|violations|issues|causes|fields)$/i;
const pathName = /^(path|field|pointer|location|parameter|param|property|name)$/i;
/** Names of properties that contain the status. */
const statusName = /^(status|code|status_?code|error_?code|http_?status)$/i;
/** The properties of a problem document with a fixed meaning (RFC 9457, section 4.2.1). */
const problemTexts: Readonly<Record<string, (status: number) => string>> = {
  type: () => 'about:blank',
  title: statusPhrase,
};
// Deeper objects are left out, because recursive schemas never end.
const maxDepth = 6;

/**
 * Creates the body of an error response for a schema: its required properties, and those that describe the error.
 * @param schema a JSON Schema
 * @param branch index of the `oneOf` and `anyOf` branch to use
 * @param resolve follows the references of a schema
 * @returns a value that usually conforms to the schema; the caller validates it
 */
export function createErrorBody(
  schema: unknown,
  { status, message, errorName, isProblem = false, violations = [], path }: ErrorText,
  resolve: (schema: unknown) => JsonObject,
  branch = 0,
): unknown {
  /** @param phrase the text of a member of a problem document that has a fixed meaning */
  const make = (given: unknown, name: string, depth: number, phrase?: string): unknown => {
    const node = flatten(resolve(given), resolve, branch);
    if ('const' in node) return node.const;
    if (Array.isArray(node.enum)) return node.enum.includes(status) ? status : node.enum[0];
    switch (typeOf(node)) {
      case 'string':
        if (path !== undefined && pathName.test(name)) return path;
        return phrase ?? textOf(node, textName.test(name) ? message : undefined, errorName);
      case 'integer':
      case 'number':
        return numberOf(node, name, status);
      case 'boolean':
        return false;
      case 'null':
        return null;
      case 'array': {
        if (depth > 0 && violations.length > 0 && listName.test(name))
          return violations.map((each) => itemOf(node.items, each));
        const count = Math.max(Number(node.minItems ?? 0), depth === 0 ? 1 : 0);
        return depth > maxDepth ? [] : Array.from({ length: count }, () => make(node.items, name, depth + 1));
      }
      default:
        return objectFor(node, depth);
    }
  };
  const itemOf = (items: unknown, { field, message: own }: FieldError): unknown => {
    const node = flatten(resolve(items), resolve, branch);
    const names = Object.keys(objectOf(node.properties));
    const isObjectOrAny = (typeOf(node) ?? 'object') === 'object';
    const isOpen = isObjectOrAny && names.length === 0 && node.additionalProperties !== false;
    const isLocated = isOpen || names.some((name) => pathName.test(name));
    const text = { message: isLocated ? own : `${field} ${own}.`, path: pathOfField(field) };
    const made = createErrorBody(items, { status, errorName, ...text }, resolve, branch);
    return isOpen && isObject(made) ? { path: text.path, message: own, ...made } : made;
  };
  const objectFor = (node: JsonObject, depth: number): JsonObject => {
    const properties = { ...objectOf(node.properties) };
    const required = listOf(node.required).map(String);
    // Under any media type, an object with a title and a detail has the shape of a problem document.
    const hasShape = ['title', 'detail'].every(
      (name) => Object.hasOwn(properties, name) || required.includes(name),
    );
    const isWhole = isProblem && depth === 0;
    const isOne = hasShape || isWhole;
    // A title of a problem document is the phrase of its status, so the message needs another property.
    if (isOne && node.additionalProperties !== false) properties.detail ??= { type: 'string' };
    const telling = Object.keys(properties).filter(
      (name) =>
        textName.test(name) ||
        statusName.test(name) ||
        (isWhole && name === 'type') ||
        (violations.length > 0 && listName.test(name)) ||
        (path !== undefined && pathName.test(name)),
    );
    const names = depth > maxDepth ? [] : new Set([...required, ...telling]);
    return Object.fromEntries(
      [...names].map((name) => [
        name,
        make(
          ownOf(properties, name),
          name,
          depth + 1,
          isOne ? ownOf(problemTexts, name)?.(status) : undefined,
        ),
      ]),
    );
  };
  return make(schema, 'message', 0);
}

/** Merges `allOf` and one branch of `oneOf` and `anyOf` into a schema. */
function flatten(
  node: JsonObject,
  resolve: (schema: unknown) => JsonObject,
  branch: number,
  depth = 0,
): JsonObject {
  const { allOf, oneOf, anyOf, ...own } = node;
  const branchOf = (list: unknown) =>
    listOf(list)
      .slice(0, branch + 1)
      .slice(-1);
  const parts = [...listOf(allOf), ...branchOf(oneOf), ...branchOf(anyOf)];
  if (depth > maxDepth) return own;
  const merged: JsonObject = { ...own };
  for (const part of parts.map((each) => flatten(resolve(each), resolve, branch, depth + 1)))
    for (const [word, value] of Object.entries(part))
      if (word === 'properties') merged.properties = { ...objectOf(value), ...objectOf(merged.properties) };
      else if (word === 'required') merged.required = [...listOf(merged.required), ...listOf(value)];
      else merged[word] ??= value;
  return merged;
}

function typeOf(node: JsonObject): unknown {
  const types = [node.type ?? []].flat();
  if (types.length === 0)
    return isObject(node.properties) || Array.isArray(node.required) ? 'object' : undefined;
  return types.find((type) => type !== 'null') ?? 'null';
}

const byFormat: Readonly<Record<string, string>> = {
  date: '1970-01-01',
  'date-time': '1970-01-01T00:00:00Z',
  uri: 'about:blank',
  'uri-reference': 'about:blank',
  url: 'about:blank',
  uuid: '00000000-0000-0000-0000-000000000000',
  email: 'nobody@example.com',
};

function textOf(node: JsonObject, message: string | undefined, errorName: string): string {
  const format = byFormat[String(node.format)];
  if (format !== undefined) return format;
  const text =
    message !== undefined && node.pattern === undefined ? message : exampleOf(node, 'string', errorName);
  return text.padEnd(Number(node.minLength ?? 0), '.').slice(0, Number(node.maxLength ?? Infinity));
}

function numberOf(node: JsonObject, name: string, status: number): number {
  const wanted = statusName.test(name) ? status : exampleOf(node, 'number', 0);
  const least = Number(node.minimum ?? Number(node.exclusiveMinimum ?? wanted - 1) + 1);
  return wanted > Number(node.maximum) ? least : Math.max(least, wanted);
}

function exampleOf<Type extends string | number>(
  node: JsonObject,
  type: 'string' | 'number',
  otherwise: Type,
): Type {
  const examples = [node.example, ...(Array.isArray(node.examples) ? node.examples : []), node.default];
  return (examples.find((value) => typeof value === type) as Type | undefined) ?? otherwise;
}
