import type { Writable } from 'node:stream';
import { type Command, CommanderError } from 'commander';
import { createTerminal } from '../lib/terminal.ts';
import { type CliIo, within } from './context.ts';
import { createProgram } from './program.ts';

/** The streams and environment of the process. */
interface ProcessStreams extends Omit<CliIo, 'stdout' | 'stderr' | 'progress' | 'exitCode'> {
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean };
}

/**
 * Runs a command.
 * @param given the arguments after the program's name
 * @returns exit code: 0 done, 1 rejected or failed, 2 usage error
 */
export async function runCli(
  given: readonly string[],
  { stdout, stderr, ...around }: ProcessStreams,
): Promise<number> {
  const terminal = createTerminal(stderr);
  const cliIo: CliIo = {
    ...around,
    stdout: createTerminal(stdout),
    stderr: terminal,
    progress: terminal.progress(true),
    exitCode: 0,
  };
  const program = endingByError(createProgram(), cliIo).hook('preAction', (_program, command) => {
    cliIo.command = { name: nameOf(command), options: optionsToRecord(command) };
  });
  try {
    await within(cliIo, () => program.parseAsync([...given], { from: 'user' }));
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander uses 1 for usage errors, but here 1 means that the work failed.
    return error.exitCode === 0 ? 0 : 2;
  }
  return cliIo.exitCode;
}

/** Returns the name of a command with its group, such as `token revoke`. */
const nameOf = (command: Command): string =>
  command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();

/** Returns the options that are numbers, flags, or one of a fixed list. Other texts, such as names, can be personal data. */
function optionsToRecord(command: Command): Record<string, unknown> {
  const choices = new Set(command.options.flatMap(({ argChoices = [] }) => argChoices));
  return Object.fromEntries(
    Object.entries(command.opts()).filter(
      ([, value]) => typeof value === 'number' || typeof value === 'boolean' || choices.has(value),
    ),
  );
}

function endingByError(command: Command, { stdout, stderr }: Pick<CliIo, 'stdout' | 'stderr'>): Command {
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => stdout.print(text.trimEnd()),
    writeErr: (text) => stderr.print(text.trimEnd()),
  });
  for (const inner of command.commands) endingByError(inner, { stdout, stderr });
  return command;
}
