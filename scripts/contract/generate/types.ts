import openapiTS, { astToString } from 'openapi-typescript';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';

/**
 * Generates TypeScript types for a contract.
 * @param document a bundled OpenAPI 3.1 document
 * @returns the source of a module that exports `paths`, `components` and `operations`
 */
export async function generateTypes(document: OpenApiDocument): Promise<string> {
  const ast = await openapiTS(JSON.stringify(withHeadersInPlace(document)), {
    silent: true,
    // Properties with a default stay optional, because clients may omit them. The operation table lists the query
    // parameters whose defaults the pipeline fills in.
    defaultNonNullable: false,
  });
  return astToString(ast);
}

/** openapi-typescript 7.13 treats referenced headers as required, so references are resolved first. */
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
