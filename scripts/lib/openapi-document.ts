/** The parts of an OpenAPI 3.1 document by name. `scripts/contract/model` reads what is inside them. */
export interface OpenApiDocument {
  openapi: string;
  info?: { title?: string; version?: string; summary?: string; description?: string };
  servers?: object[];
  paths?: Record<string, object>;
  webhooks?: Record<string, object>;
  security?: SecurityRequirement[];
  components?: {
    parameters?: Record<string, object>;
    requestBodies?: Record<string, object>;
    pathItems?: Record<string, object>;
    schemas?: Record<string, object>;
    headers?: Record<string, object>;
    securitySchemes?: Record<string, object>;
  };
}

/** The scopes that a request needs, by security scheme. */
export type SecurityRequirement = Record<string, string[]>;

export const httpMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
export type HttpMethod = (typeof httpMethods)[number];

/** Whether a name in a path item is that of an operation. */
export const isHttpMethod = (name: string): name is HttpMethod =>
  httpMethods.some((method) => method === name);
