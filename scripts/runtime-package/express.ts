/** The Express middleware of the package: `import { contract } from 'parley-contract-runtime'`. */

import './node-18-globals.ts';
import type { IncomingMessage } from 'node:http';
import { isPublic } from '../../server/contract/authorize.ts';
import { callHandlers } from '../../server/contract/call-handlers.ts';
import type { CompiledContract, ContractModule } from '../../server/contract/compiled-contract.ts';
import type { Authenticate } from '../../server/contract/credentials.ts';
import { documentedErrors, errorFormatOf } from '../../server/contract/documented-errors.ts';
import { type ErrorFormat, type ErrorKind, PipelineError } from '../../server/contract/errors.ts';
import type { Exchange, HandlerResponse, ValidatedResponse } from '../../server/contract/exchange.ts';
import type { ApiOf, InputOf, TableOf } from '../../server/contract/handler-types.ts';
import { securedContractOf } from '../../server/contract/security-schemes.ts';
import {
  type ContractMiddleware,
  createPipeline,
  type PipelineOptions,
} from '../../server/http/express/pipeline.ts';
import {
  type RouteMiddleware,
  type RouteOptions,
  validateRoutes,
} from '../../server/http/express/validate-routes.ts';
import { assertOptions, commonOptionTypes } from './assert-options.ts';
import { printError } from './print-error.ts';

/**
 * The type of an object with a handler for each operation: `{…} satisfies Handlers<OperationTypes, typeof operations>`.
 * A handler gets the validated input alone. Its second parameter is always undefined.
 * @typeParam Supplied required headers that handlers need not return, because `authenticate` does
 */
export type Handlers<
  Types,
  Table extends TableOf<Types>,
  Caller = undefined,
  Supplied extends string = never,
> = ApiOf<Types, Table, Caller, undefined, Supplied | 'X-Request-Id'>;

/** Called with each request and its response, for tests that record coverage. */
export type Observe = (exchange: Exchange<unknown>, response: ValidatedResponse) => void;

/** The default of the option `errors`, to extend, and the types of a format. */
export { documentedErrors, type ErrorFormat, type ErrorKind, type InputOf };

declare global {
  namespace Express {
    /** The request that Express's types, and those of middleware such as express-session, extend. */
    interface Request {}
  }
}

interface CommonOptions<Caller> {
  /**
   * Checks the credentials of one alternative of the operation's security: `schemes` has its names, and the credentials of
   * the others are left out. By default, credentials as documented must be present, and the application checks them.
   * `request` is that of Express, with what other middleware has set, such as `request.session`, and with the credentials
   * of all schemes.
   * @throws the error that `rejected` creates, or one with a `status`, which goes to the error handlers of the application
   */
  authenticate?: Authenticate<Caller, IncomingMessage & Express.Request>;
  /**
   * The format of error responses (default: the format that the contract documents, or RFC 9457). `body` alone keeps the
   * documented statuses and JSON media types.
   */
  errors?: Partial<ErrorFormat>;
  /** Rules that a schema cannot express, by operation ID. */
  checks?: NonNullable<PipelineOptions<Caller>['checks']>;
  /**
   * Returns whether a path is left to the application, unchecked (default: none). It gets the path with that of the mount,
   * percent-encoded and without the query.
   */
  ignore?: (path: string) => boolean;
  /** Maximum size of a request body, in bytes. */
  bodyLimit?: number;
  /** Called with each error that a handler throws (default: prints it). The response is a 500. */
  onError?: PipelineOptions<Caller>['onError'];
  observe?: Observe | undefined;
}

/** Options for middleware in front of routes. */
export type RoutesOptions<Caller = undefined> = CommonOptions<Caller> & RouteOptions;

/** Options for middleware that calls handlers. Those for routes concern the operations without a handler. */
export interface HandlerOptions<Caller> extends CommonOptions<Caller>, RouteOptions {
  /** The handlers by operation ID: all of them, or with `unhandled: 'next'` some. */
  handlers: Readonly<Record<string, (input: never, dependencies: undefined) => Promise<HandlerResponse>>>;
  /** `next` enforces operations without a handler in front of the routes that follow (default: each needs a handler). */
  unhandled?: 'next';
}

const optionTypes = {
  ...commonOptionTypes,
  ignore: ['function'],
  observe: ['function'],
  onInvalidResponse: ['function', "'fail'", "'log'", "'count'", "'off'"],
  responseLimit: ['number'],
  unreadBodies: ['object'],
  unhandled: ["'next'"],
} satisfies Record<keyof HandlerOptions<unknown>, string[]>;

const rejections = ['tokenMissing', 'tokenUnknown', 'scopeMissing'] as const;

/**
 * Creates the error with which `authenticate` rejects a request.
 * @param kind `scopeMissing` for a caller who may not do this: 403, if the operation documents it. The others are 401
 * @param message of the response (default: a message for the kind)
 * @throws TypeError for another kind
 */
export function rejected(kind: (typeof rejections)[number], message?: string): Error {
  if (!rejections.includes(kind))
    throw new TypeError(`rejected() has no kind ${kind}. The kinds are ${rejections.join(', ')}.`);
  return new PipelineError(kind, message === undefined ? {} : { message });
}

/**
 * Creates Express middleware that enforces a contract in both directions.
 *
 * With `handlers`, it calls them and sends their responses. Without `handlers`, it runs before the routes of an
 * application: it validates requests, calls the next route, and validates the response of that route.
 * @param compiled what `generate` has written to `contract.js`, or what `compileDocument` of `parley-contract/compile` returns
 * @throws Error if another version of the tools has compiled the contract
 * @example
 * // `compiled` is the export of generated/contract.js.
 * app.use(contract(compiled, { authenticate }));
 */
export function contract<Caller = undefined>(
  compiled: ContractModule,
  options: HandlerOptions<Caller>,
): ContractMiddleware;
export function contract<Caller = undefined>(
  compiled: ContractModule,
  options?: RoutesOptions<Caller>,
): RouteMiddleware;
export function contract<Caller = undefined>(
  compiled: ContractModule,
  given: Partial<HandlerOptions<Caller>> & RoutesOptions<Caller> = {},
): ContractMiddleware {
  const { handlers, unhandled, ...options } = given;
  assertOptions(compiled, given, optionTypes, handlers !== undefined && unhandled !== 'next');
  const secured = securedContractOf(compiled);
  warnOfDisabled(secured.contract);
  if (!options.authenticate) warnOfCredentials(compiled, secured.contract);
  const errors = errorFormatOf(options.errors);
  const common = { onError: printError, ...options, errors, ...secured };
  if (!handlers) return validateRoutes<Caller>(common);
  const respond = callHandlers<Caller, undefined>(handlers, undefined);
  for (const id of options.unreadBodies ?? [])
    if (unhandled !== 'next' || Object.hasOwn(handlers, id))
      throw new Error(
        `unreadBodies names ${id}, which has a handler. Handlers get the body: serve it by a route.`,
      );
  const routes = unhandled === 'next' ? validateRoutes<Caller>(common) : undefined;
  return createPipeline({
    ...common,
    respond,
    middlewareFor:
      routes &&
      ((operation: { id: string } | undefined) =>
        operation && Object.hasOwn(handlers, operation.id) ? undefined : routes),
  } as PipelineOptions<Caller>);
}

/** Warns at the start of operations whose requests are all refused, because the contract has a mistake. */
function warnOfDisabled({ operations }: CompiledContract): void {
  for (const { id, disabled } of operations)
    if (disabled !== undefined)
      process.emitWarning(`All requests of ${id} are refused. ${disabled}`, {
        code: 'PARLEY_CONTRACT_DISABLED',
      });
}

/** Contracts of which there was a warning. Tests often create an application for each test. */
const warnedOf = new WeakSet<ContractModule>();

/** Warns at the start that the middleware does not check credentials. */
function warnOfCredentials(compiled: ContractModule, { operations }: CompiledContract): void {
  const secured = operations.filter(({ security }) => !isPublic(security)).length;
  if (secured === 0 || warnedOf.has(compiled)) return;
  warnedOf.add(compiled);
  process.emitWarning(
    `${secured} operations of the contract require credentials. Without the option authenticate, requests must have them, but the application must check them and their scopes.`,
    { code: 'PARLEY_CONTRACT_AUTHENTICATE' },
  );
}
