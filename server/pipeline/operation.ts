/** The parts of a contract that the pipeline uses. They are read once, when the pipeline is created. */

/** A bundled OpenAPI 3.1 document. Only the validator reads its contents. */
export interface ContractDocument {
  openapi: string;
  paths?: object;
  components?: object;
}

/**
 * Alternative security requirements, of which a request must meet one. An alternative requires all of its schemes with
 * all of their scopes. An empty alternative, or an empty list of alternatives, requires no credentials.
 */
export type Security = readonly Record<string, readonly string[]>[];

export interface ContractOperation {
  id: string;
  /** In lower case, as in the contract. */
  method: string;
  /** Path template with the server's base path: `/api/v1/contacts/{id}`. */
  path: string;
  /** The part of the path that comes from the contract's server. */
  basePath: string;
  security: Security;
  parameters: readonly ContractParameter[];
  parameterGroups: ParameterGroups;
  /** Documented media types of the request body; empty if it has no body. */
  requestTypes: readonly string[];
  /** The schema and the examples of each media type of the request body. */
  requestContent: ReadonlyMap<string, DocumentedContent>;
  bodyRequired: boolean;
  /** By documented key: `200`, `4XX`, `default`. */
  responses: Readonly<Record<string, DocumentedResponse>>;
  /** The deprecation headers of every response. */
  deprecationHeaders: Readonly<Record<string, string>>;
}

export interface ContractParameter {
  name: string;
  in: 'query' | 'header' | 'path' | 'cookie';
  type: string | undefined;
  allowEmptyValue: boolean;
  /** Whether its value is written as JSON: its `content` has a JSON media type. */
  isJson: boolean;
  /**
   * The names in a query, besides its own, under which the values of an object or a list are sent: `brackets` for names
   * such as `filter[since]`, a list for the properties of an exploded object, and `any` for those of an open one.
   */
  names?: 'brackets' | 'any' | readonly string[];
}

/** The parameters of an operation by location. */
export interface ParameterGroups {
  query: ParameterGroup;
  path: ParameterGroup;
  /** Keys are in lower case, as in Node's headers. */
  headers: readonly { name: string; key: string; mayRepeat: boolean }[];
  cookies: ReadonlySet<string>;
}

/** The parameters of a query or a path. */
export interface ParameterGroup {
  name: 'query' | 'path';
  known: ReadonlyMap<string, ContractParameter>;
  /** Parameters that are arrays or objects. */
  composed: readonly ContractParameter[];
}

const plainTypes = new Set(['string', 'integer', 'number', 'boolean']);

/** Whether a parameter is a single value that needs no parsing before validation. */
export const isPlainParameter = ({ type }: ContractParameter): boolean =>
  type !== undefined && plainTypes.has(type);

export interface DocumentedResponse {
  mediaTypes: readonly string[];
  /** The schema and the examples of each media type. */
  content: ReadonlyMap<string, DocumentedContent>;
  headers: readonly DocumentedHeader[];
}

export interface DocumentedHeader {
  /** In lower case. */
  name: string;
  required: boolean;
  /** Set if the value is a list, which a handler may return as text, with commas. */
  isList?: true;
}

/** A documented body. */
export interface DocumentedContent {
  schema: unknown;
  examples: readonly unknown[];
  /** Follows the references of a schema. */
  resolve: (schema: unknown) => Record<string, unknown>;
}

/** The parts of a request that are validated. Validation coerces them and fills in defaults in place. */
export interface RequestParts {
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  params: Record<string, unknown>;
  cookies: Record<string, unknown>;
  body: unknown;
}

/** One violation of a schema. */
export interface SchemaViolation {
  /** JSON Pointer into `RequestParts` (`/query/page`, `/body/first_name`) or into the response body. */
  pointer: string;
  /** The violated keyword. */
  keyword: string;
  /** The requirement, without the location: `must be <= 100`. */
  message: string;
}

/** An operation with its compiled validators. */
export interface CompiledOperation extends ContractOperation {
  /** @param mediaType a documented media type, or undefined if the request has no body */
  validateRequest(parts: RequestParts, mediaType: string | undefined, url: string): SchemaViolation[];
  /** @param status a key of `responses` */
  validateBody(status: string, mediaType: string, body: unknown): SchemaViolation[];
  /** @param headers by name in lower case */
  validateHeaders(status: string, headers: Record<string, unknown>): SchemaViolation[];
}
