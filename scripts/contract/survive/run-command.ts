import { stripVTControlCharacters } from 'node:util';
import { startCommand } from './start-command.ts';

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
export function runCommand(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
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
    child.on('error', (error) => {
      clearTimeout(timer);
      stop();
      reject(new Error(`${command[0]} cannot be started: ${error.message}`));
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      const durationMs = performance.now() - startedAt;
      resolve({
        exitCode: isStopped ? undefined : (code ?? 1),
        durationMs,
        output: stripVTControlCharacters(output),
      });
    });
  });
}
