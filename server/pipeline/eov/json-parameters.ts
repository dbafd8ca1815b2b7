import type { ContractParameter, RequestParts } from '../operation.ts';

const partOf = { header: 'headers', path: 'params', cookie: 'cookies' } as const;

/**
 * Parses the headers, path parameters and cookies whose media type is JSON. express-openapi-validator parses only those
 * in the query. A text that is not JSON stays as it is, and its schema rejects it.
 */
export function parseJsonParameters(
  parameters: readonly ContractParameter[],
  parts: RequestParts,
): RequestParts {
  const parsed = { ...parts };
  for (const { in: location, name, isJson } of parameters) {
    if (location === 'query' || !isJson) continue;
    const part = partOf[location];
    const key = location === 'header' ? name.toLowerCase() : name;
    if (key in parsed[part]) parsed[part] = { ...parsed[part], [key]: parseOrKeep(parsed[part][key]) };
  }
  return parsed;
}

function parseOrKeep(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}
