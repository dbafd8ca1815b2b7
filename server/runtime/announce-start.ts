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

/** Prints the text for the first request, and logs the start. */
export function announceStart(
  { address, version, metricsAddress, token, hasPortal }: StartedService,
  log: Pick<Logger, 'info'>,
): void {
  const listening = `Parley ${version} is listening on ${address}\n`;
  const documentation = hasPortal
    ? `Documentation: ${address}/docs/\n`
    : 'Documentation: run npm run docs:build, then restart the service.\n';
  const next =
    token === undefined
      ? `Create companies and tokens with: npm run -s parley -- --help\n${documentation}`
      : `${documentation}\nCreated a demo company, because the database was empty. Its token is shown only once:\n\n  ${token}\n\n` +
        `Try it:\n\n  curl -H 'Authorization: Bearer ${token}' '${address}${pathOf('listContacts')}?per_page=3'\n\n`;
  process.stdout.write(listening + next);
  if (metricsAddress) log.info({ address: metricsAddress }, 'metrics');
  log.info({ address, version }, 'started');
}
