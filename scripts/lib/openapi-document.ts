/** What the generator reads of an OpenAPI 3.1 document; the rest passes through untouched. */
export interface OpenApiDocument {
  openapi: string;
  info?: { title?: string; version?: string; summary?: string };
  paths?: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  security?: SecurityRequirement[];
  components?: {
    parameters?: Record<string, Parameter>;
    requestBodies?: Record<string, RequestBody>;
    pathItems?: Record<string, PathItem>;
    schemas?: Record<string, { default?: unknown }>;
    headers?: Record<string, object>;
    securitySchemes?: Record<string, SecurityScheme>;
  };
}

export type SecurityRequirement = Record<string, string[]>;

/** How credentials are sent. */
export interface SecurityScheme {
  type?: string;
  in?: string;
  name?: string;
}

export interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: 'query' | 'header' | 'path' | 'cookie';
  schema?: { default?: unknown; $ref?: string; contentSchema?: { $ref?: string } };
}

export interface RequestBody {
  content?: Record<string, { schema?: { $ref?: string } }>;
}

export interface Operation {
  operationId?: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: RequestBody | Reference;
  responses?: Record<string, unknown>;
  security?: SecurityRequirement[];
}

export type PathItem = { parameters?: (Parameter | Reference)[]; $ref?: string } & Partial<
  Record<Method, Operation>
>;

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
export type Method = (typeof methods)[number];

/**
 * What is meant: itself, or what a reference to one of the shared ones leads to.
 * @throws Error where it leads nowhere
 */
export function followed<Kind extends object>(
  shared: Record<string, Kind> | undefined,
  given: Kind | Reference,
): Kind {
  if (!('$ref' in given) || typeof given.$ref !== 'string') return given as Kind;
  const found = shared?.[given.$ref.slice(given.$ref.lastIndexOf('/') + 1)];
  if (!found) throw new Error(`Nothing is at ${given.$ref}.`);
  return found;
}
