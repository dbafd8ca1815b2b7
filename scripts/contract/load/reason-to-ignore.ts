import { hasJsonType } from '../../../server/lib/json-type.ts';
import { resolvePointer } from '../../testing/schema-values/json-pointer.ts';
import { isSchema } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { repairPattern } from './repair-pattern.ts';

/**
 * Returns a sentence that says why a keyword is ignored: because no value could conform to it, or because no tool would
 * apply it correctly.
 * @param node the schema or other part of a document that has the keyword
 * @param pointer leads to `node`
 * @param context returns the context of the whole document
 * @returns undefined if the keyword is not ignored
 */
export function reasonToIgnore(
  node: Record<string, unknown>,
  keyword: string,
  pointer: string,
  context: () => SchemaContext,
): string | undefined {
  const value = node[keyword];
  if (keyword === '$id' && typeof value === 'string')
    return 'Identifiers of schemas ($id) are ignored: references lead to parts of the document.';
  if (keyword === 'pattern' && typeof value === 'string' && repairPattern(value) === undefined)
    return `The pattern at ${pointer} is no regular expression of JavaScript, and is ignored.`;
  if (keyword === 'enum' && Array.isArray(value)) return reasonToIgnoreEnum(value, node.type, pointer);
  if (isExampleWithReference(keyword, value))
    return 'Examples with references are ignored, because OpenAPI does not resolve them.';
  return keyword === 'default' ? reasonToIgnoreDefault(node, pointer, context) : undefined;
}

function reasonToIgnoreEnum(values: readonly unknown[], type: unknown, pointer: string): string | undefined {
  if (values.length === 0)
    return `The enum at ${pointer} is empty, so no value would be valid. It is ignored.`;
  const fits = type === undefined || values.some((value) => hasJsonType(value, [type].flat()));
  return fits
    ? undefined
    : `No value of the enum at ${pointer} has the type that the schema demands. The enum is ignored.`;
}

function reasonToIgnoreDefault(
  node: Record<string, unknown>,
  pointer: string,
  context: () => SchemaContext,
): string | undefined {
  const value = node.default;
  if (node.format === 'int64' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return `The default at ${pointer} exceeds 2^53-1, so JavaScript does not represent it exactly. It is ignored.`;
  const schema = resolvePointer(context().document, pointer);
  try {
    return isSchema(schema) && !context().isValid(schema, value)
      ? `The default at ${pointer} violates its own schema, and is ignored.`
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value of an example, rather than the example itself, contains a reference. */
const isExampleWithReference = (keyword: string, value: unknown): boolean =>
  (keyword === 'example' || (keyword === 'examples' && Array.isArray(value)) || keyword === 'value') &&
  (JSON.stringify(value)?.includes('"$ref":') ?? false);
