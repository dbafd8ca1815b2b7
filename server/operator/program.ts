import { Command } from 'commander';
import { commands } from '../../generated/commands.ts';
import { contractVersion } from '../../generated/operations.ts';
import { configHelp } from '../runtime/config/config-help.ts';

/** Creates the command-line program for operators. */
export function createProgram(): Command {
  const program = new Command('npm run -s parley --')
    .version(contractVersion)
    .description("Run an operator's command on the database. The service may be running.")
    .addHelpText(
      'after',
      `
Configuration, from the environment:
${configHelp(['database'])}

Examples:
  npm run -s parley -- company create --name 'Acme'
  npm run -s parley -- token create --company 1 --user 17
  npm run -s parley -- field list --company 1 --json

Exit codes: 0 success, 1 failure, 2 usage error.`,
    );

  for (const [group, made] of Map.groupBy(
    commands.map((make) => make()),
    groupOf,
  )) {
    const parent = group === undefined ? program : program.command(group);
    for (const command of made) parent.addCommand(command.name(command.name().replace(/^\S+ /, '')));
    if (group !== undefined) parent.description(parent.commands.map((each) => each.name()).join(', '));
  }
  return program;
}

/** Returns the first word of a name such as `token create`; undefined for a command without a group. */
const groupOf = (command: Command): string | undefined => /^\S+(?= )/.exec(command.name())?.[0];
