import { type DocumentNode, isDocumentNode } from '../../../../server/pipeline/document-node.ts';

const mapKeywords = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'schemas',
  'paths',
  'parameters',
  'responses',
  'requestBodies',
  'headers',
]);
const valueKeywords = new Set(['enum', 'const', 'default']);

/** Whether a keyword does not affect validation. */
const isAnnotation = (keyword: string): boolean =>
  /^(description|summary|examples?|title|deprecated|externalDocs|xml|discriminator|x-.*)$/.test(keyword);

/**
 * Copies a schema, or a document with schemas, without annotations. Its references lead to the document with the ID
 * `contract`. The keywords with which express-openapi-validator replaces `type` are turned back.
 */
export const compactSchema = (schema: unknown): object => copied(schema, false) as object;

/** @param isMap whether the keys are names, such as those of properties, rather than keywords */
function copied(node: unknown, isMap: boolean): unknown {
  if (Array.isArray(node)) return node.map((each) => copied(each, false));
  if (!isDocumentNode(node)) return node;
  const { 'x-eov-type': type, ...rest } = node;
  const given: DocumentNode = type === undefined || isMap ? node : { ...rest, type };
  const kept = Object.entries(given).filter(([name]) => isMap || !isAnnotation(name));
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (isMap) return [name, copied(value, false)];
      if (name === '$ref' && typeof value === 'string' && value.startsWith('#'))
        return [name, `contract${value}`];
      return [name, valueKeywords.has(name) ? value : copied(value, mapKeywords.has(name))];
    }),
  );
}
