import { readFileSync } from 'node:fs';
import { ignoreBrokenPipe } from '../../server/lib/cli.ts';
import type { RunCommand } from './command.ts';
import { failureLine, printLine, printLines } from './terminal.ts';

/** Each command's description, and an import of its module, so that only one of them is loaded. */
export type Commands = Readonly<Record<string, { about: string; load: () => Promise<RunCommand> }>>;

/** A program with commands. */
export interface CommandLine {
  name: string;
  about: string;
  commands: Commands;
}

/** Runs a command, and sets the exit code of the process. @param given the arguments of the process */
export async function runCommandLine(given: readonly string[], program: CommandLine): Promise<void> {
  ignoreBrokenPipe();
  process.exitCode = await exitCodeOf(given, program);
}

/** Runs a command. @param given its name and its arguments @returns exit code */
export async function exitCodeOf(
  [name = '--help', ...given]: readonly string[],
  program: CommandLine,
): Promise<number> {
  if (['--help', '-h', 'help'].includes(name)) printLines(helpOf(program));
  else if (['--version', '-V'].includes(name)) printLine(ownVersion());
  else if (Object.hasOwn(program.commands, name)) {
    const run = await program.commands[name]?.load();
    if (run) return run(given, `${program.name} ${name}`);
  } else {
    printLine(failureLine(`There is no command ${name}. Run: ${program.name} --help`), 'error');
    return 2;
  }
  return 0;
}

const helpOf = ({ name, about, commands }: CommandLine): string => {
  const width = Math.max(...Object.keys(commands).map((command) => command.length));
  const lines = Object.entries(commands).map(
    ([command, { about }]) => `  ${command.padEnd(width)}  ${about}`,
  );
  return `Usage: ${name} <command> [options]

${about}

Commands:
${lines.join('\n')}

Each command has --help. Settings are read from parley-contract.config.ts, .mts, .js or .mjs in the working directory.

Exit codes: those of the command; 2 usage error.`;
};

/** Returns the version of the package, which is two folders above this one. */
function ownVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return version;
}
