import type { HeaderPlan } from '../../../server/contract/compiled-contract.ts';
import type { JsonObject } from '../../../server/lib/json-object.ts';
import type { HttpMethod, SecurityRequirement } from '../../lib/openapi-document.ts';
import type { JsonSchema } from '../../testing/schema-values/schema.ts';

/** An operation of the contract, or a webhook with one of its methods. References are followed, except in schemas. */
export interface Operation {
  /** Its `operationId`, or an ID derived from method and path. */
  readonly id: string;
  /** In lower case. */
  readonly method: HttpMethod;
  /** Path template, without the server's base path. For a webhook, its name. */
  readonly path: string;
  /** JSON Pointer: `/paths/~1books/get`. */
  readonly pointer: string;
  /** The paths before the template, of all servers. @throws Error if there are too many */
  readonly basePaths: readonly string[];
  /** Whether the operation or its path has servers of its own, instead of the document's. */
  readonly hasOwnServers: boolean;
  /** An operation's parameter overrides the path's parameter with the same name and location. */
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  /** By documented status: `200`, `4XX`, `default`. */
  readonly responses: Readonly<Record<string, OperationResponse>>;
  /** The requirements of the operation, or else of the document. A webhook has only its own. */
  readonly security: readonly SecurityRequirement[];
  /** The schemes of each requirement. Empty if a request may have no credentials. */
  readonly securitySchemes: readonly (readonly SecurityScheme[])[];
  readonly rules: readonly OperationRule[];
  readonly tags: readonly string[];
  /** The object in the document. */
  readonly node: JsonObject;
}

/** A schema of the contract with its location. */
export interface SchemaUse {
  /** As documented, so it may be a reference; `true` if no schema is documented. */
  readonly schema: JsonSchema;
  /**
   * JSON Pointer to the schema, after following references: `/components/schemas/Book`. Undefined if there is no schema.
   */
  readonly schemaPointer: string | undefined;
}

export interface Parameter extends SchemaUse {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly style: string;
  readonly explode: boolean;
  /** Set if the value is serialized as JSON. */
  readonly mediaType: string | undefined;
  readonly examples: readonly NamedExample[];
  /** JSON Pointer, after following references. */
  readonly pointer: string;
  readonly node: JsonObject;
}

/** A media type of a body. */
export interface Content extends SchemaUse {
  readonly mediaType: string;
  readonly examples: readonly NamedExample[];
  readonly pointer: string;
  readonly node: JsonObject;
}

export interface NamedExample {
  readonly name: string;
  readonly value: unknown;
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: readonly Content[];
  readonly pointer: string;
  readonly node: JsonObject;
}

export interface OperationResponse {
  readonly headers: readonly ResponseHeader[];
  readonly content: readonly Content[];
  readonly links: readonly ResponseLink[];
  readonly pointer: string;
  readonly node: JsonObject;
}

export interface ResponseHeader extends SchemaUse {
  readonly name: string;
  readonly required: boolean;
  readonly style: HeaderPlan['style'];
  readonly examples: readonly NamedExample[];
  readonly pointer: string;
  readonly node: JsonObject;
}

/** A link from a response to another operation. */
export interface ResponseLink {
  /** The ID of the operation, or else the JSON Pointer to it. */
  readonly operationId: string | undefined;
  readonly operationPointer: string | undefined;
  /** Runtime expressions (`$response.body#/id`) or values, by parameter name. */
  readonly parameters: JsonObject;
}

/** How credentials are sent. */
export interface SecurityScheme {
  readonly type: string;
  readonly in: string | undefined;
  readonly name: string | undefined;
  /** The authentication scheme of HTTP, such as `basic`. */
  readonly scheme?: string;
}

/** A rule from `x-rules` that no schema can express. A request that conforms to the schemas may violate it. */
export interface OperationRule {
  /** The locations that the error response names; `*` stands for any array item. Empty if the response names none. */
  readonly fields: readonly string[];
  readonly rule: string;
  /** The error code, if the rule has its own. */
  readonly code: number | undefined;
  /** Whether the rule depends on stored data. */
  readonly stored: boolean;
}
