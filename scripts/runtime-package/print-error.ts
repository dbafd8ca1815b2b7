import type { ErrorReporter } from '../../server/contract/error-response.ts';
import { ResponseValidationError } from '../../server/contract/validate-response.ts';

/**
 * Prints the error of a handler, because the client gets only a 500. An invalid response is printed as a line of JSON, as for
 * routes.
 */
export const printError: ErrorReporter = ({ operation, error }) => {
  const printed =
    error instanceof ResponseValidationError
      ? [
          JSON.stringify({
            msg: 'invalid response',
            operation,
            status: error.responseStatus,
            message: error.message,
          }),
        ]
      : [`${operation ?? 'A request'} failed.`, error];
  // biome-ignore lint/suspicious/noConsole: workers have no standard error.
  console.error(...printed);
};
