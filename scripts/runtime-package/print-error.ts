import type { ErrorReporter } from '../../server/contract/error-response.ts';

/** Prints an error that a handler has thrown: the client gets a 500 that says nothing about it. */
export const printError: ErrorReporter = ({ operation, error }) => {
  // biome-ignore lint/suspicious/noConsole: workers have no standard error.
  console.error(`${operation ?? 'A request'} failed.`, error);
};
