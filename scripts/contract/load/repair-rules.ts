import { isObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { dereference, targetOf } from '../../lib/json-pointer.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { type Rules, schemaRules } from './schema-rules.ts';

const isMediaType = (name: string): boolean => name.includes('/');

const isHeaderWithWrongName = (document: OpenApiDocument, parameter: unknown): boolean => {
  const found = dereference(document, parameter);
  return isObject(found) && found.in === 'header' && !/^[\w!#$%&'*+.^`|~-]+$/.test(String(found.name));
};

/** Whether the target of a mapping (a reference or a schema name) does not exist in the document. */
function isDangling(document: OpenApiDocument, target: unknown): boolean {
  if (typeof target !== 'string') return false;
  if (/^\w+$/.test(target)) return !Object.hasOwn(document.components?.schemas ?? {}, target);
  return target.startsWith('#/') && targetOf(document, target) === undefined;
}

/** The rules by keyword. */
export const repairRules: Rules = {
  ...schemaRules,
  /** Schema names become references. Without a target, no value can select the branch, so the entry has no effect. */
  mapping({ value, pointer, document }) {
    if (!isObject(value)) return undefined;
    const schemas = document.components?.schemas ?? {};
    const known = Object.entries(value).filter(([, target]) => !isDangling(document, target));
    const lost = Object.entries(value).filter(([, target]) => isDangling(document, target));
    const references = known.map(([name, target]) => [
      name,
      typeof target === 'string' && Object.hasOwn(schemas, target)
        ? `#/components/schemas/${escapePointer(target)}`
        : target,
    ]);
    const [first] = lost;
    return {
      value: Object.fromEntries(references),
      ...(first
        ? {
            sentence: `The discriminator at ${pointer} maps ${first[0]} to ${String(first[1])}, which does not exist. The mapping is ignored. Correct the name, or add the schema.`,
          }
        : {}),
    };
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
