import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** A command that runs, with its output, and a function that stops it and all processes that it has started. */
export interface RunningCommand {
  child: ChildProcessByStdio<null, Readable, Readable>;
  stop: () => void;
}

const isWindows = process.platform === 'win32';

/**
 * Starts a command in a process group of its own. It is also stopped when this process exits.
 * @param command program and arguments, such as `['npm', 'test']`
 * @param environment variables in addition to those of this process
 */
export function startCommand(
  command: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): RunningCommand {
  const [program = '', ...given] = isWindows ? windowsCommand(command) : command;
  const child = spawn(program, given, {
    detached: !isWindows,
    windowsVerbatimArguments: isWindows,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  const stop = () => {
    process.removeListener('exit', stop);
    if (child.pid === undefined) return;
    if (isWindows) execFile('taskkill', ['/pid', String(child.pid), '/t', '/f'], () => {});
    else
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // All of them have ended.
      }
  };
  process.once('exit', stop);
  return { child, stop };
}

/**
 * Returns the command that runs another one on Windows, where `npm` and other programs are batch files, which only `cmd.exe`
 * starts.
 * @throws Error if an argument contains what `cmd.exe` would expand, even in quotes
 */
export function windowsCommand(command: readonly string[]): string[] {
  const unsafe = command.find((each) => /["%!\r\n]/.test(each));
  if (unsafe !== undefined)
    throw new Error(
      `The argument ${unsafe} cannot be passed on Windows: it has a quote, % or !. Put the command in a script.`,
    );
  const quoted = command.map((each) => (/[^\w./:\\=@-]/.test(each) || each === '' ? `"${each}"` : each));
  return ['cmd.exe', '/d', '/s', '/c', `"${quoted.join(' ')}"`];
}
