/** The contract as a fetch handler: `import { fetchHandler } from 'parley-contract-runtime/fetch'`. It needs no Node and no tools. */

import { callHandlers } from '../../server/contract/call-handlers.ts';
import type { ContractModule } from '../../server/contract/compiled-contract.ts';
import { errorFormatOf } from '../../server/contract/documented-errors.ts';
import type { ErrorFormat } from '../../server/contract/errors.ts';
import type { HandlerResponse } from '../../server/contract/exchange.ts';
import { securedContractOf } from '../../server/contract/security-schemes.ts';
import { createFetchHandler, type FetchHandlerOptions } from '../../server/http/fetch/fetch-handler.ts';
import { assertOptions, commonOptionTypes } from './assert-options.ts';
import { printError } from './print-error.ts';

/** Options of a fetch handler. */
export interface Options<Caller>
  extends Pick<FetchHandlerOptions<Caller>, 'authenticate' | 'checks' | 'bodyLimit' | 'onError'> {
  /** The handler of each operation, by operation ID. */
  handlers: Readonly<Record<string, (input: never, dependencies: undefined) => Promise<HandlerResponse>>>;
  /**
   * The format of error responses (default: the format that the contract documents, or RFC 9457). `body` alone keeps the
   * documented statuses and JSON media types.
   */
  errors?: Partial<ErrorFormat>;
}

const optionTypes = commonOptionTypes satisfies Record<keyof Options<unknown>, string[]>;

/**
 * Creates a function that enforces a contract in both directions, for workers, other frameworks, and tests without sockets.
 * @param compiled what `generate` has written
 * @throws Error if the contract cannot be used
 * @example
 * // `compiled` is the export of generated/contract.js.
 * export default { fetch: fetchHandler(compiled, { handlers }) };
 */
export function fetchHandler<Caller = undefined>(
  compiled: ContractModule,
  given: Options<Caller>,
): (request: Request) => Promise<Response> {
  assertOptions(compiled, given, optionTypes, true);
  const { handlers, errors, onError = printError, ...options } = given;
  return createFetchHandler<Caller>({
    ...options,
    ...securedContractOf(compiled),
    errors: errorFormatOf(errors),
    onError,
    respond: callHandlers<Caller, undefined>(handlers, undefined),
  });
}
