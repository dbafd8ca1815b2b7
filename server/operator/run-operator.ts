import { type Command, CommanderError } from 'commander';
import { createProgram } from './program.ts';
import { type Surroundings, within } from './surroundings.ts';

/**
 * Runs one command of the operator.
 * @param given the words behind the program's name
 * @returns 0 done, 1 refused or failed, 2 called wrongly
 */
export async function runOperator(
  given: readonly string[],
  around: Omit<Surroundings, 'exitCode'>,
): Promise<number> {
  const surroundings: Surroundings = { ...around, exitCode: 0 };
  const program = endingByError(createProgram(), surroundings);
  try {
    await within(surroundings, () => program.parseAsync([...given], { from: 'user' }));
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander says 1 where it was called wrongly, which is what we say of work that failed.
    return error.exitCode === 0 ? 0 : 2;
  }
  return surroundings.exitCode;
}

function endingByError(
  command: Command,
  { stdout, stderr }: Pick<Surroundings, 'stdout' | 'stderr'>,
): Command {
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
  });
  for (const inner of command.commands) endingByError(inner, { stdout, stderr });
  return command;
}
