import { onNpmExit } from '../../server/lib/cli.ts';

/** Ends a script that shows something until it is told to stop: by a signal, or because npm, which has started it, is gone. */
export function onShutdown(stop: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  onNpmExit(stop);
}
