/** What the pipeline knows of a contract, whichever it is: read once, when the pipeline is made. */

/** A bundled OpenAPI 3.1 document. Only the validator looks inside. */
export interface ContractDocument {
  openapi: string;
}

/** Alternatives; within one, every scheme with all its scopes is needed. `{}` and `[]` ask for nothing. */
export type Security = readonly Record<string, readonly string[]>[];

export interface ContractOperation {
  id: string;
  /** In lower case, as the contract writes it. */
  method: string;
  /** Path template with the server's base path: `/api/v1/contacts/{id}`. */
  path: string;
  /** The part of it that the contract's server has. */
  basePath: string;
  security: Security;
  parameters: readonly ContractParameter[];
  reading: ParameterGroups;
  /** Documented media types of the request body; empty where there is none. */
  requestTypes: readonly string[];
  bodyRequired: boolean;
  /** By documented key: `200`, `4XX`, `default`. */
  responses: Readonly<Record<string, DocumentedResponse>>;
  /** Headers of every answer that say that it goes, and when. */
  lifecycle: Readonly<Record<string, string>>;
}

export interface ContractParameter {
  name: string;
  in: 'query' | 'header' | 'path' | 'cookie';
  type: string | undefined;
  allowEmptyValue: boolean;
}

/** The parameters of an operation by where they stand, sorted out once. */
export interface ParameterGroups {
  query: ParameterGroup;
  path: ParameterGroup;
  /** With their names in lower case, as Node gives them. */
  headers: readonly { name: string; key: string; mayRepeat: boolean }[];
  hasCookies: boolean;
}

/** The parameters of a query or a path. */
export interface ParameterGroup {
  name: 'query' | 'path';
  known: ReadonlyMap<string, ContractParameter>;
  /** Those that are more than one plain value. */
  composed: readonly ContractParameter[];
}

const plainTypes = new Set(['string', 'integer', 'number', 'boolean']);

/** Whether a parameter is one plain value: nothing must be taken apart before it is judged. */
export const isPlainParameter = ({ type }: ContractParameter): boolean =>
  type !== undefined && plainTypes.has(type);

export interface DocumentedResponse {
  mediaTypes: readonly string[];
  headers: readonly { name: string; required: boolean }[];
}

/** The parts of a request that a contract speaks of, as they are judged: coerced and filled in place. */
export interface RequestParts {
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  params: Record<string, unknown>;
  cookies: Record<string, unknown>;
  body: unknown;
}

/** Something that breaks the contract. */
export interface SchemaViolation {
  /** Where: a JSON Pointer into the parts (`/query/page`, `/body/first_name`) or into the answer's body. */
  pointer: string;
  /** The schema keyword that is broken. */
  keyword: string;
  /** What the place must be, without naming it: `must be <= 100`. */
  message: string;
}

/** An operation with the functions that decide whether a request or an answer fits it. */
export interface CompiledOperation extends ContractOperation {
  /** @param mediaType a documented one, or undefined where there is no body */
  validateRequest(parts: RequestParts, mediaType: string | undefined, url: string): SchemaViolation[];
  /** @param status a key of `responses` */
  validateBody(status: string, mediaType: string, body: unknown): SchemaViolation[];
  /** @param headers by name in lower case */
  validateHeaders(status: string, headers: Record<string, unknown>): SchemaViolation[];
}
