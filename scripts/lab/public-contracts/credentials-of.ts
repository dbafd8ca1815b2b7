import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import type { Credentials } from '../../testing/conformance/credentials.ts';
import { operationsOf } from '../../testing/requests/operations.ts';
import { createSchemaContext } from '../../testing/schema-values/schema-context.ts';

const value = 'any-credentials';

/** Returns a value for every kind of credentials that operations of a contract need. The mock accepts any value. */
export function credentialsOf(document: OpenApiDocument): Credentials {
  const headers: Record<string, string> = { Authorization: `Bearer ${value}` };
  const query: Record<string, string> = {};
  const cookies = new Set<string>();
  const used = operationsOf(createSchemaContext(document)).flatMap(({ securitySchemes }) =>
    securitySchemes.flat(),
  );
  for (const { type, in: location, name = '' } of used) {
    if (type !== 'apiKey') continue;
    if (location === 'header') headers[name] = value;
    if (location === 'query') query[name] = value;
    if (location === 'cookie') cookies.add(`${name}=${value}`);
  }
  if (cookies.size > 0) headers.Cookie = [...cookies].join('; ');
  return { headers, query };
}
