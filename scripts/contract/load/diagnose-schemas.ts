import { isObject, objectOf } from '../../../server/lib/json-object.ts';
import { nothingFound, violationOf } from '../../../server/lib/violation.ts';
import { createAjv } from '../../lib/create-ajv.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import type { Diagnosis } from './diagnosis.ts';
import { visitObjects } from './visit-objects.ts';

// JSON Schema does not define OpenAPI's own keywords, so unknown keywords must be allowed.
const metaSchema = createAjv({ strict: false, allErrors: false, messages: false });

/** Keywords that do not mean the same, or anything, in all dialects since draft-04. Schemas without them are read as 2020-12. */
const changedKeywords =
  /"(additionalItems|dependencies|dependent\w+|prefixItems|unevaluated\w+|m(?:in|ax)Contains|\$recursiveRef)":/;

/** Finds invalid schemas. */
export function diagnoseSchemas(document: OpenApiDocument): Diagnosis[] {
  const found: Diagnosis[] = [];
  visitObjects(document, (node, key, pointer) => {
    if (key !== 'schema' && !/^\/components\/schemas\/[^/]*$/.test(pointer)) return true;
    found.push(...diagnoseSchema(node, pointer));
    return false;
  });
  return found;
}

/** Validates a schema against the meta-schema of its dialect. */
function diagnoseSchema(schema: unknown, pointer: string): Diagnosis[] {
  const found = (message: string, fix: string, at = pointer): Diagnosis[] => [{ pointer: at, message, fix }];
  const [, anchor] = /"\$(?:dynamicR|r)ef":"#((?:[^/"][^"]*)?)"/.exec(JSON.stringify(schema) ?? '') ?? [];
  if (anchor !== undefined)
    return found(
      anchor === ''
        ? 'The reference # leads to the whole document, which is not a schema.'
        : `No schema has the anchor ${anchor}, or several schemas have it.`,
      "Refer to the schema by its path: '#/components/schemas/Name'.",
    );
  const { $schema: dialect = '' } = objectOf(schema);
  const isOwn = /^$|2020-12|\/oas\/3\.1\//.test(String(dialect));
  const [, changed] = (!isOwn && changedKeywords.exec(JSON.stringify(schema))) || [];
  if (changed !== undefined)
    return found(
      `In the dialect ${dialect}, ${changed} means something else than in OpenAPI 3.1, so the schema is not supported.`,
      'Write it in JSON Schema 2020-12, without $schema.',
    );
  if (typeof schema === 'boolean' || metaSchema.validateSchema(withoutDialect(schema))) return [];
  const [error] = metaSchema.errors ?? [];
  const { pointer: location, message } = error ? violationOf(error) : nothingFound;
  return found(
    `The schema is invalid: ${location.slice(1) || 'it'} ${message}.`,
    'Correct the keyword. See https://json-schema.org/draft/2020-12.',
    pointer + location,
  );
}

/** Removes the dialect (`$schema`), because Ajv may not know it. */
const withoutDialect = (schema: unknown): object => {
  const { $schema: _dialect, ...rest }: { $schema?: unknown } = isObject(schema) ? schema : {};
  return rest;
};
