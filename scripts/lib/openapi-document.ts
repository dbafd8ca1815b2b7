import { ownOf } from '../../server/lib/own-property.ts';
/** The parts of an OpenAPI 3.1 document that the scripts read. */
export interface OpenApiDocument {
  openapi: string;
  info?: { title?: string; version?: string; summary?: string };
  servers?: { url?: string; variables?: Record<string, { default?: string }> }[];
  paths?: Record<string, PathItemObject>;
  webhooks?: Record<string, PathItemObject>;
  security?: SecurityRequirement[];
  components?: {
    parameters?: Record<string, ParameterObject>;
    requestBodies?: Record<string, RequestBodyObject>;
    pathItems?: Record<string, PathItemObject>;
    schemas?: Record<string, { default?: unknown }>;
    headers?: Record<string, object>;
    securitySchemes?: Record<string, SecuritySchemeObject>;
  };
}

export type SecurityRequirement = Record<string, string[]>;

/** How credentials are sent. */
export interface SecuritySchemeObject {
  type?: string;
  in?: string;
  name?: string;
}

export interface ReferenceObject {
  $ref: string;
}

export interface ParameterObject {
  name: string;
  in: 'query' | 'header' | 'path' | 'cookie';
  schema?: { default?: unknown; $ref?: string; contentSchema?: { $ref?: string } };
}

export interface RequestBodyObject {
  content?: Record<string, { schema?: { $ref?: string } }>;
}

export interface OperationObject {
  operationId?: string;
  parameters?: (ParameterObject | ReferenceObject)[];
  requestBody?: RequestBodyObject | ReferenceObject;
  responses?: Record<string, unknown>;
  security?: SecurityRequirement[];
}

export type PathItemObject = { parameters?: (ParameterObject | ReferenceObject)[]; $ref?: string } & Partial<
  Record<HttpMethod, OperationObject>
>;

export const httpMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
export type HttpMethod = (typeof httpMethods)[number];

/** Whether a name in a path item is that of an operation. */
export const isHttpMethod = (name: string): name is HttpMethod =>
  httpMethods.some((method) => method === name);

/**
 * Returns the shared object that a reference names, and any other object unchanged.
 * @param shared objects by name, from `components`
 * @throws Error if the named object does not exist
 */
export function dereferenceShared<Kind extends object>(
  shared: Record<string, Kind> | undefined,
  given: Kind | ReferenceObject,
): Kind {
  if (!('$ref' in given) || typeof given.$ref !== 'string') return given as Kind;
  const found = ownOf(shared, given.$ref.slice(given.$ref.lastIndexOf('/') + 1));
  if (!found) throw new Error(`The reference ${given.$ref} does not exist.`);
  return found;
}
