import openapiTS, { astToString } from 'openapi-typescript';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';

/**
 * The contract as TypeScript types.
 * @param document a bundled OpenAPI 3.1 document
 * @returns the source of a module that exports `paths`, `components` and `operations`
 */
export async function generateTypes(document: OpenApiDocument): Promise<string> {
  const ast = await openapiTS(JSON.stringify(withHeadersInPlace(document)), {
    silent: true,
    // A property with a default may be left out by whoever sends it; the operation table says
    // which parameters the pipeline fills in.
    defaultNonNullable: false,
  });
  return astToString(ast);
}

/** openapi-typescript 7.13 takes every header that is a reference for a required one; so none is left as one. */
function withHeadersInPlace(document: OpenApiDocument): unknown {
  const shared = document.components?.headers ?? {};
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (key !== 'headers' || typeof value !== 'object' || value === null) return value;
    const inPlace = Object.entries(value).map(([name, header]) => [
      name,
      shared[sharedName(header)] ?? header,
    ]);
    return Object.fromEntries(inPlace);
  });
}

function sharedName(header: unknown): string {
  const reference = typeof header === 'object' && header !== null && '$ref' in header ? header.$ref : '';
  return /^#\/components\/headers\/(.+)$/.exec(String(reference))?.[1] ?? '';
}
