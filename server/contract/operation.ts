import type { FieldError } from '../lib/field-error.ts';
import type { JsonObject } from '../lib/json-object.ts';
import type { SchemaViolation } from '../lib/violation.ts';
import type { OperationPlan } from './compiled-contract.ts';
import type { BodyFormat } from './media-type.ts';

/** A bundled OpenAPI 3.1 document. Only the compiler reads its contents. */
export interface ContractDocument {
  openapi: string;
  paths?: object;
  components?: object;
}

/** A body and the documented media type that it matches; both undefined if no body was sent. */
export interface ReadBody {
  /** The text of a form as `application/x-www-form-urlencoded`, without its files; otherwise the parsed value. */
  body: unknown;
  mediaType: string | undefined;
  /** How the body was read. Bytes have no schema to validate. */
  format?: BodyFormat;
  /** The contents of the files of a form, as validation sees them: text with one character per byte. */
  contents?: Readonly<Record<string, string | string[]>>;
  /** The files of a form by name; lists for names that occur several times. */
  files?: ReadonlyMap<string, File | File[]>;
}

/** An operation with its compiled validators. */
export interface CompiledOperation extends OperationPlan {
  /** Documented media types of the request body; empty if it has no body. */
  requestTypes: readonly string[];
  /** Follows the references of a compiled schema. */
  resolve: (schema: unknown) => JsonObject;
  /** Whether a value conforms to a schema. @param name the name of a compiled schema */
  accepts: (name: string, value: unknown) => boolean;
  /** Returns the violations of a value; none if it conforms. @param name the name of a compiled schema */
  violationsOf: (name: string, value: unknown) => SchemaViolation[];
  /** Reads the text of a form, or a plain text, by its schema. Other bodies stay as they are. */
  readText: (body: ReadBody, problems: FieldError[]) => unknown;
  /** Fills in defaults, and validates. @param mediaType a documented one */
  validateRequestBody: (mediaType: string, body: unknown) => SchemaViolation[];
  /** @param status a key of `responses` */
  validateBody: (status: string, mediaType: string, body: unknown) => SchemaViolation[];
}
