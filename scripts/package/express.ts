/** The Express middleware of the package: `import { contract } from 'parley-contract/express'`. */

import '../../server/lib/assert-node.mjs';
import { isPublic } from '../../server/pipeline/authorize.ts';
import { callHandlers } from '../../server/pipeline/call-handlers.ts';
import type { AuthResult, RequestCredentials } from '../../server/pipeline/credentials.ts';
import { documentedErrors } from '../../server/pipeline/documented-errors.ts';
import { type ErrorFormat, type ErrorKind, PipelineError } from '../../server/pipeline/errors.ts';
import type { Exchange, HandlerResponse, ValidatedResponse } from '../../server/pipeline/exchange.ts';
import type { ApiOf, TableOf } from '../../server/pipeline/handler-types.ts';
import {
  type ContractMiddleware,
  createPipeline,
  type PipelineOptions,
} from '../../server/pipeline/pipeline.ts';
import { securitySchemesOf } from '../../server/pipeline/security-schemes.ts';
import {
  type RouteMiddleware,
  type RouteOptions,
  validateRoutes,
} from '../../server/pipeline/validate-routes.ts';
import { compileContract } from '../contract/compile/compile-contract.ts';
import { findExternalReference } from '../contract/load/external-references.ts';
import { loadContract } from '../contract/load/load-contract.ts';

/** The type of an object with a handler for each operation: `{…} satisfies Handlers<OperationTypes, typeof operations>`. */
export type Handlers<Types, Table extends TableOf<Types>, Caller = undefined> = ApiOf<
  Types,
  Table,
  Caller,
  undefined
>;

/** Called with each request and its response, for tests that record coverage. */
export type Observe = (exchange: Exchange<unknown>, response: ValidatedResponse) => void;

interface CommonOptions<Caller> {
  /** The contract: the path of its root file, or a bundled OpenAPI 3.1 document. */
  document: string | { openapi: string };
  /** Folders outside of the project that references of the document may lead into (default: none). */
  allowOutside?: readonly string[];
  /**
   * Checks the credentials of one alternative of the operation's security: `schemes` has its names, and the credentials of
   * the others are left out. By default, credentials as documented must be present, and the application checks them.
   * @throws the error that `rejected` creates
   */
  authenticate?: (credentials: RequestCredentials) => Promise<AuthResult<Caller>>;
  /** The format of error responses (default: the format that the contract documents, or RFC 9457). */
  errors?: ErrorFormat;
  /** Rules that a schema cannot express, by operation ID. */
  checks?: NonNullable<PipelineOptions<Caller>['checks']>;
  /**
   * Returns whether a path is left to the application, unchecked (default: none). It gets the path with that of the mount,
   * percent-encoded and without the query.
   */
  ignore?: (path: string) => boolean;
  /** Maximum size of a request body, in bytes. */
  bodyLimit?: number;
  onError?: PipelineOptions<Caller>['onError'];
  observe?: Observe | undefined;
}

type RoutesOptions<Caller> = CommonOptions<Caller> & RouteOptions;

export interface HandlerOptions<Caller> extends CommonOptions<Caller> {
  /** The handler of each operation, by operation ID. */
  handlers: Readonly<Record<string, (input: never, dependencies: undefined) => Promise<HandlerResponse>>>;
}

/** @throws Error if a reference leads out of the document, because libraries would follow it */
function withoutExternalReferences<Document extends object>(document: Document): Document {
  const found = findExternalReference(document);
  if (found === undefined) return document;
  throw new Error(
    `The document has the reference ${found.reference} at ${found.pointer || '/'}. Bundle it first, or pass the path of its file.`,
  );
}

/** Creates the error with which `authenticate` rejects a request. */
export const rejected = (kind: Extract<ErrorKind, 'tokenMissing' | 'tokenUnknown'>): Error =>
  new PipelineError(kind);

/**
 * Creates Express middleware that enforces a contract in both directions.
 *
 * With `handlers`, it calls them and sends their responses. Without `handlers`, it runs before the routes of an
 * application: it validates requests, calls the next route, and validates the response of that route.
 * @throws Error that names file, line and remedy if the contract cannot be used
 */
export async function contract<Caller = undefined>(
  options: HandlerOptions<Caller>,
): Promise<ContractMiddleware>;
export async function contract<Caller = undefined>(options: RoutesOptions<Caller>): Promise<RouteMiddleware>;
export async function contract<Caller = undefined>(
  options: HandlerOptions<Caller> | RoutesOptions<Caller>,
): Promise<ContractMiddleware> {
  const document =
    typeof options.document === 'string'
      ? (await loadContract(options.document, options)).document
      : withoutExternalReferences(options.document);
  const compiled = compileContract(document);
  const securitySchemes = securitySchemesOf(compiled);
  if (!options.authenticate)
    warnOfCredentials(compiled.operations.filter(({ security }) => !isPublic(security)).length);
  const common = { errors: documentedErrors, ...options, contract: compiled, securitySchemes };
  return 'handlers' in options
    ? createPipeline({
        ...common,
        respond: callHandlers(options.handlers, undefined),
      } as PipelineOptions<Caller>)
    : validateRoutes<Caller>(common);
}

/** Says at the start that nobody checks credentials yet. @param secured number of operations that require them */
function warnOfCredentials(secured: number): void {
  if (secured === 0) return;
  process.emitWarning(
    `${secured} operations of the contract require credentials. Without the option authenticate, requests must have them, but the application must check them and their scopes.`,
    { code: 'PARLEY_CONTRACT_AUTHENTICATE' },
  );
}
