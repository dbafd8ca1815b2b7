import type { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';

/**
 * Adds a document to a compiler, and each shared schema by its reference. Otherwise the compiler would compile a shared
 * schema again for each schema that refers to it.
 * @param id the ID of the document, with which references to it begin
 */
export function addSharedSchemas(ajv: Ajv2020, document: object, id: string): void {
  ajv.addSchema(document, id, undefined, false);
  const { components }: { components?: unknown } = document;
  const { schemas } = isObject(components) ? components : {};
  for (const [name, schema] of Object.entries(isObject(schemas) ? schemas : {}))
    if (isObject(schema))
      ajv.addSchema(schema, `${id}#/components/schemas/${escapePointer(name)}`, undefined, false);
}
