import { onNpmExit } from '../../server/lib/cli.ts';

/** Calls a function when the script should end: on a signal, or when the npm process that started it has ended. */
export function onShutdown(stop: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  onNpmExit(stop);
}
