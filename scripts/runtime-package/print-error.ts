import type { ErrorReporter } from '../../server/contract/error-response.ts';
import { ResponseValidationError } from '../../server/contract/validate-response.ts';

/** Prints an error that a handler has thrown, or a line as for routes if its response is invalid: the client gets a 500. */
export const printError: ErrorReporter = ({ operation, error }) => {
  const printed =
    error instanceof ResponseValidationError
      ? [JSON.stringify({ msg: 'invalid response', operation, message: error.message })]
      : [`${operation ?? 'A request'} failed.`, error];
  // biome-ignore lint/suspicious/noConsole: workers have no standard error.
  console.error(...printed);
};
