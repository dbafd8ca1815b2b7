import { InvalidArgumentError } from 'commander';

/** Where the mock listens unless it is told otherwise, and where the portal's console looks for it. */
export const mockPort = 4010;

/**
 * A port as a command line names it.
 * @throws InvalidArgumentError where it is none
 */
export function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}
