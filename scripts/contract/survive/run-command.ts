import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { errorMessage } from '../../../server/lib/error-message.ts';

export interface CommandResult {
  /** The exit code; undefined if the command was stopped. */
  exitCode: number | undefined;
  durationMs: number;
  /** The last 20,000 characters of its output. */
  output: string;
}

const maxOutput = 20_000;

/**
 * Runs a command until it ends or the time is over; then it and the processes that it has started are stopped.
 * @param environment variables in addition to those of this process
 * @throws Error if the command cannot be started
 */
export async function runCommand(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<CommandResult> {
  const startedAt = performance.now();
  let output = '';
  let isStopped = false;
  const { child, stop } = startCommand(command, { NO_COLOR: '1', FORCE_COLOR: undefined, ...environment });
  const timer = setTimeout(() => {
    isStopped = true;
    stop();
  }, timeoutMs);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-maxOutput);
    });
  // Processes that the command has left behind could send requests in the next scenario.
  child.on('exit', stop);
  try {
    const [code]: (number | null)[] = await once(child, 'close');
    const exitCode = isStopped ? undefined : (code ?? 1);
    return { exitCode, durationMs: performance.now() - startedAt, output: stripVTControlCharacters(output) };
  } catch (error) {
    throw new Error(`${command[0]} cannot be started: ${errorMessage(error)}`);
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** A command that runs, with its output, and a function that stops it and all processes that it has started. */
interface RunningCommand {
  child: ChildProcessByStdio<null, Readable, Readable>;
  stop: () => void;
}

const isWindows = process.platform === 'win32';

/**
 * Starts a command in a process group of its own. It is also stopped when this process exits.
 * @param command program and arguments, such as `['npm', 'test']`
 * @param environment variables in addition to those of this process
 */
function startCommand(
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
