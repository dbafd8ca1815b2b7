import type { Spend } from '../lib/work-limit.ts';
import type { ParametersPlan } from '../validation/parameters/parameter-plan.ts';
import type { FormPlan } from '../validation/parameters/read-form.ts';
import type { ScalarShape, Shape } from '../validation/parameters/shape.ts';
import type { DefaultsPlan } from './defaults.ts';

/** The version of the format of compiled contracts. */
export const contractFormat = 4;

/** Compiled schemas: what is needed to validate with them, and to list the violations of what they refuse. */
export interface CompiledSchemas {
  /** The compact schemas to which plans and other schemas refer by name. Their references are names. */
  schemas: Readonly<Record<string, CompactSchema>>;
  /** The formats that the schemas use, by name. */
  formats: Formats;
  /** Returns the function that decides whether a value conforms to a schema. @param name a name in `schemas` */
  deciderOf: (name: string) => Decide;
  /** Sets what counts the work of these functions. */
  countWorkWith: (spend: Spend) => void;
}

/**
 * A compiled contract: everything that is needed to enforce it, without its document. `generate` writes it as a module;
 * tools compile it in memory.
 */
export interface CompiledContract extends CompiledSchemas {
  /** The version of this format. */
  format: typeof contractFormat;
  /** SHA-256 of the document, in hexadecimal. */
  hash: string;
  operations: readonly OperationPlan[];
  /** The names in `schemas` of what messages of operations and webhooks use of `components.schemas`. */
  components: Readonly<Record<string, string>>;
  /** The security schemes that the contract defines, by name. */
  securitySchemes: Readonly<Record<string, KnownScheme>>;
}

/**
 * The export of the module that `generate` writes. Its contents belong to one version of the toolchain, so they have no
 * types.
 */
export interface ContractModule {
  readonly format: number;
  readonly hash: string;
  readonly operations: readonly { readonly id: string }[];
}

/** @throws Error if the contract was compiled by another version of the toolchain */
export function assertCompiled(contract: ContractModule): asserts contract is CompiledContract {
  if (contract.format !== contractFormat)
    throw new Error(
      `The compiled contract has the format ${contract.format}, and this version of the runtime reads the format ${contractFormat}. Install parley-contract and parley-contract-runtime in the same version, and run parley-contract generate again.`,
    );
}

/** Whether a value conforms to a schema. It never changes the value. */
export type Decide = (value: unknown) => boolean;

/** A JSON Schema (2020-12) without annotations. */
export type CompactSchema = boolean | Readonly<Record<string, unknown>>;

/** An operation, as far as it is known before a request arrives: data only. */
export interface OperationPlan {
  id: string;
  /** In lower case, as in the contract. */
  method: string;
  /** Path template with the server's base path: `/api/v1/contacts/{id}`. */
  path: string;
  /** The part of the path that comes from the contract's server. */
  basePath: string;
  security: Security;
  /** Why the contract of the operation cannot be enforced: a mistake in the document, with its remedy. All requests fail. */
  disabled?: string;
  /** The deprecation headers of every response. */
  deprecationHeaders: Readonly<Record<string, string>>;
  parameters: ParametersPlan;
  body?: { required: boolean; content: Readonly<Record<string, BodyPlan>> };
  /** By documented key: `200`, `4XX`, `default`. */
  responses: Readonly<Record<string, ResponsePlan>>;
}

/** A documented body with one media type. */
export interface BodyPlan {
  /** The name of its schema. Without one, every value conforms. */
  schema?: string;
  /** Filled in before validation, in requests. */
  defaults?: DefaultsPlan;
  /** In error responses. */
  examples?: readonly unknown[];
  /** How a form is read, if the media type may be one. */
  form?: FormPlan;
  /** How a plain text is read, if it need not be a string. */
  text?: ScalarShape;
}

/** Returns a schema that refers to that of a body. */
export const schemaOf = (body: BodyPlan | undefined): { $ref?: string } =>
  body?.schema === undefined ? {} : { $ref: body.schema };

export interface ResponsePlan {
  content: Readonly<Record<string, BodyPlan>>;
  headers: readonly HeaderPlan[];
}

export interface HeaderPlan {
  /** In lower case. */
  name: string;
  required: boolean;
  /** How its value is written: `blue,black` and `R,100,G,200`, or exploded `R=100,G=200`, or as JSON. */
  style: 'simple' | 'exploded' | 'json';
  /** The name of its schema. */
  schema?: string;
  shape?: Shape;
}

/**
 * Alternative security requirements, of which a request must meet one. An alternative requires all of its schemes with
 * all of their scopes. An empty alternative, or an empty list of alternatives, requires no credentials.
 */
export type Security = readonly Record<string, readonly string[]>[];

/** Where a client sends the credentials of a security scheme. */
export type SecurityScheme =
  /** `scheme` is a pattern for the authentication scheme of the Authorization header. */
  | { in: 'authorization'; scheme: string; challenge: string }
  | { in: 'header' | 'query' | 'cookie'; name: string }
  /** The certificate of the client, which is not part of the message. */
  | { in: 'connection' };

/** A scheme of a compiled contract: one whose definition is not supported is kept, so that it can be refused by name. */
export type KnownScheme = SecurityScheme | { in: 'unknown' };

/** By name: a pattern, a function, or an object with one of them as `validate` and the type of the values as `type`. */
export type Formats = Readonly<Record<string, unknown>>;
