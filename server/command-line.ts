import type { Command } from 'commander';

/** Commander exits with 1 where it was called wrongly, which is what we say of work that failed: 2 is for misuse. */
export function exitWithTwoOnMisuse(command: Command): Command {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  for (const inner of command.commands) exitWithTwoOnMisuse(inner);
  return command;
}
