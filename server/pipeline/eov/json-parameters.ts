import type { ContractParameter, RequestParts } from '../operation.ts';

const partOf = { header: 'headers', path: 'params', cookie: 'cookies' } as const;

/** A header, path parameter or cookie whose media type is JSON. */
interface JsonParameter extends ContractParameter {
  in: keyof typeof partOf;
}

/** Whether express-openapi-validator leaves the JSON of a parameter as text: it parses only the query. */
export const isJsonParameter = (parameter: ContractParameter): parameter is JsonParameter =>
  parameter.isJson && parameter.in !== 'query';

/** Parses JSON parameters. Invalid JSON stays a string, which the schema then rejects. */
export function parseJsonParameters(parameters: readonly JsonParameter[], parts: RequestParts): RequestParts {
  const parsed = { ...parts };
  for (const { in: location, name } of parameters) {
    const part = partOf[location];
    const key = location === 'header' ? name.toLowerCase() : name;
    if (Object.hasOwn(parsed[part], key))
      parsed[part] = { ...parsed[part], [key]: parseOrKeep(parsed[part][key]) };
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
