import { isObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { dereference } from '../../lib/json-pointer.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import type { Rule, Rules } from './rule.ts';
import { schemaRules } from './schema-rules.ts';

const isMediaType = (name: string): boolean => name.includes('/');

/** OpenAPI does not resolve references in the value of an example. */
const withoutReferences: Rule = ({ value }) =>
  JSON.stringify(value)?.includes('"$ref":')
    ? {
        value: undefined,
        sentence: 'Examples with references are ignored, because OpenAPI does not resolve them.',
      }
    : undefined;

const isHeaderWithWrongName = (document: OpenApiDocument, parameter: unknown): boolean => {
  const found = dereference(document, parameter);
  return isObject(found) && found.in === 'header' && !/^[\w!#$%&'*+.^`|~-]+$/.test(String(found.name));
};

/** The rules by keyword. */
export const repairRules: Rules = {
  ...schemaRules,
  example: withoutReferences,
  value: withoutReferences,
  // Beside the list of a schema, there are maps of named examples, whose references OpenAPI does resolve.
  examples: (part) => (Array.isArray(part.value) ? withoutReferences(part) : undefined),
  /** Schema names become references. */
  mapping({ value, document }) {
    if (!isObject(value)) return undefined;
    const schemas = document.components?.schemas ?? {};
    const references = Object.entries(value).map(([name, target]) => [
      name,
      typeof target === 'string' && Object.hasOwn(schemas, target)
        ? `#/components/schemas/${escapePointer(target)}`
        : target,
    ]);
    return { value: Object.fromEntries(references) };
  },
  parameters({ value, pointer, document }) {
    if (!Array.isArray(value)) return undefined;
    const allowed = value.filter((each) => !isHeaderWithWrongName(document, each));
    if (allowed.length === value.length) return undefined;
    const sentence = `A header parameter at ${pointer} has a name that HTTP does not allow. It is ignored.`;
    return { value: allowed, sentence };
  },
  content({ value, pointer }) {
    if (!isObject(value)) return undefined;
    const wrong = Object.keys(value).filter((name) => !isMediaType(name));
    if (wrong.length === 0) return undefined;
    return {
      value: Object.fromEntries(Object.entries(value).filter(([name]) => isMediaType(name))),
      sentence: `${wrong.map((name) => JSON.stringify(name)).join(', ')} in the content at ${pointer} is no media type, and is ignored.`,
    };
  },
  requestBody({ value, pointer }) {
    if (!isObject(value) || !isObject(value.content)) return undefined;
    if (Object.keys(value.content).some(isMediaType)) return undefined;
    return { value: undefined, sentence: `The body at ${pointer} has no media type, and is ignored.` };
  },
};
