import type { Command } from 'commander';

/** Whoever reads our output may stop, as `head` does; what is left is then said to nobody. */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}

/** Commander exits with 1 where it was called wrongly, which is what we say of work that failed: 2 is for misuse. */
export function exitWithUsageCode(command: Command): Command {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  for (const inner of command.commands) exitWithUsageCode(inner);
  return command;
}

/**
 * Calls once when npm, which started this process, is gone: npm hands a signal to the shell between the
 * two, which ends without passing it on.
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
