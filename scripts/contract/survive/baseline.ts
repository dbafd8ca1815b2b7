import type { Observations } from './observations.ts';

/** The behaviour of the tests without a scenario. */
export interface Baseline {
  durationMs: number;
  requests: number;
  /** The IDs of the operations that the tests call. */
  operations: string[];
  /** The requests that the contract does not allow, as method and URL. */
  rejected: string[];
}

/**
 * @param variables names of the variables that contain the URL of the server, in addition to the usual one
 * @throws Error if tests without a scenario fail, or send no valid request: then scenarios would say nothing
 */
export function assertUsable({ command, requests }: Observations, variables: readonly string[]): void {
  if (command.exitCode === undefined)
    throw new Error(
      `Without a scenario, the tests did not end within ${Math.round(command.durationMs / 1_000)} s. Set --timeout.`,
    );
  if (command.exitCode !== 0)
    throw new Error(
      `The tests fail without a scenario (exit code ${command.exitCode}), so the scenarios would say nothing. Correct this first:\n${command.output.trim().split('\n').slice(-20).join('\n')}`,
    );
  if (!requests.some(({ isValid }) => isValid)) {
    const read = ['SURVIVE_URL', ...variables].join(' or ');
    throw new Error(
      requests.length === 0
        ? `The tests sent no request to the server. They must read its URL from ${read}; --env sets another variable.`
        : `The contract allows no request that the tests sent. The first one got ${requests[0]?.status}: ${requests[0]?.sent}`,
    );
  }
}

export const summaryOf = ({ command, requests }: Observations): Baseline => ({
  durationMs: command.durationMs,
  requests: requests.length,
  operations: [...new Set(requests.flatMap(({ operation }) => operation ?? []))],
  rejected: requests.filter(({ isValid }) => !isValid).map(({ method, url }) => `${method} ${url}`),
});
