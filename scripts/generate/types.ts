import openapiTS, { astToString } from 'openapi-typescript';
import type { OpenApiDocument } from './document.ts';

/**
 * The contract as TypeScript types.
 * @param document a bundled OpenAPI 3.1 document
 * @returns the source of a module that exports `paths`, `components` and `operations`
 */
export async function typesOf(document: OpenApiDocument): Promise<string> {
  const ast = await openapiTS(JSON.stringify(document), {
    silent: true,
    // A property with a default may be left out by whoever sends it; the operation table says
    // which parameters the pipeline fills in.
    defaultNonNullable: false,
  });
  return astToString(ast);
}
