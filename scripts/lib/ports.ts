import { InvalidArgumentError } from 'commander';

/** The default port of the mock server. By default, the samples of the portal send their requests there. */
export const mockPort = 4010;

/** Its URL on the machine of the reader. */
export const mockUrl = `http://127.0.0.1:${mockPort}`;

/**
 * Parses a port.
 * @throws InvalidArgumentError
 */
export function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It must be an integer from 0 to 65535.');
}
