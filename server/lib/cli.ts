import type { Command } from 'commander';

/** Ignores EPIPE: a reader such as `head` may close the pipe before all output is written. */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}

/**
 * Makes usage errors exit with code 2, and name the environment variable that an argument stands for. Commander would use 1,
 * which stands for failed work here.
 * @param start what starts the program, such as `npm start`
 * @param variables names of environment variables
 */
export const exitWithUsageCode = (command: Command, start: string, variables: readonly string[]): Command =>
  command
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .configureOutput({
      outputError: (text, write) => write(text + usageHint(text, start, variables)),
    });

/** Returns a line that says which environment variable to set. @param text a usage error */
function usageHint(text: string, start: string, variables: readonly string[]): string {
  if (text.includes('Did you mean')) return '';
  const [, option = ''] = /unknown option '--?([\w-]+)/.exec(text) ?? [];
  const word = option.toUpperCase().replaceAll('-', '_');
  const meant = variables.find((name) => `${name.replace('PARLEY_', '')}_`.startsWith(`${word}_`));
  return `Settings are environment variables: ${meant ?? variables[0]}=… ${start}. ${start} -- --help lists them.\n`;
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
