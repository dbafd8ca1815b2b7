import type { Command } from 'commander';

/** Ignores EPIPE: a reader such as `head` may close the pipe before all output is written. */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}

/** Makes usage errors exit with code 2. Commander would use 1, which stands for failed work here. */
export function exitWithUsageCode(command: Command): Command {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  for (const inner of command.commands) exitWithUsageCode(inner);
  return command;
}

/**
 * Calls a function when the parent process has ended, if npm started this process. npm sends signals to the shell
 * between the two processes, which exits without forwarding the signals.
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
