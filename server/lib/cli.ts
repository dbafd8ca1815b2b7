import type { Command } from 'commander';

/** Ignores EPIPE: a reader such as `head` may close the pipe before all output is written. */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}

/** Makes usage errors exit with 2. Commander uses 1, which means here that the work failed. */
export function exitWithUsageCode(command: Command): Command {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  for (const inner of command.commands) exitWithUsageCode(inner);
  return command;
}

/**
 * Calls a function when the npm process that started this one has ended. npm sends signals to the shell between them,
 * which exits without forwarding them.
 */
export function onNpmExit(call: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    call();
  }, 200);
  watch.unref();
}
