import type { Logger } from 'pino';
import { pathOf } from '../own-contract/handler.ts';

/** What users and log collectors read about a service that has started. */
export interface StartedService {
  /** The URL that it listens on. */
  address: string;
  /** The version of the contract. */
  version: string;
  /** The URL of the metrics, if a port is set. */
  metricsAddress: string | undefined;
  /** The token of the demo company, if it was created. It is printed only once. */
  token: string | undefined;
  hasPortal: boolean;
}

/**
 * Prints the text for the first request, and logs the start. On a terminal, both would be mixed. There, the text contains the
 * content of the log lines, which are left out, because no program reads them.
 */
export function announceStart(
  { address, version, metricsAddress, token, hasPortal }: StartedService,
  log: Pick<Logger, 'info'>,
  { stdout, stderr }: { stdout: OutputStream; stderr: OutputStream } = process,
): void {
  const isTerminal = stdout.isTTY === true && stderr.isTTY === true;
  const metrics = isTerminal && metricsAddress ? `Metrics: ${metricsAddress}\n` : '';
  stdout.write(`Parley ${version} is listening on ${address}\n${metrics}`);
  if (!isTerminal && metricsAddress) log.info({ address: metricsAddress }, 'metrics');
  if (!isTerminal) log.info({ address, version }, 'started');
  stdout.write(nextSteps(address, token, hasPortal));
}

interface OutputStream {
  isTTY?: boolean;
  write: (text: string) => unknown;
}

function nextSteps(address: string, token: string | undefined, hasPortal: boolean): string {
  const documentation = hasPortal
    ? `Documentation: ${address}/docs/\n`
    : 'Documentation: run npm run docs:build, then restart the service.\n';
  if (token === undefined)
    return `Create companies and tokens with: npm run -s parley -- --help\n${documentation}`;
  return (
    documentation +
    `\nCreated a demo company, because the database was empty. Its token is shown only once:\n\n  ${token}\n\n` +
    `Try it:\n\n  curl -H 'Authorization: Bearer ${token}' '${address}${pathOf('listContacts')}?per_page=3'\n\n`
  );
}
