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
    const names = made.map((command) => command.name().replace(`${group} `, ''));
    const parent = group === undefined ? program : program.command(group).description(names.join(', '));
    for (const [index, command] of made.entries()) parent.addCommand(command.name(names[index] ?? ''));
  }
  return complete(program);
}

/** Returns the first word of a name such as `token create`; undefined for a command without a group. */
const groupOf = (command: Command): string | undefined => /^\S+(?= )/.exec(command.name())?.[0];

/**
 * Adds `--json` to every command that has no such option of its own. Shows choices and default values of options in the help,
 * and marks required options.
 */
function complete(command: Command): Command {
  const isLeaf = command.commands.length === 0;
  if (isLeaf && !command.options.some(({ long }) => long === '--json'))
    command.option('--json', 'print JSON');

  command.configureHelp({
    optionDescription: (option) => {
      const { defaultValue, defaultValueDescription: told = JSON.stringify(defaultValue) } = option;
      const choices = option.argChoices ? ` (${option.argChoices.join(', ')})` : '';
      const usual = defaultValue === undefined ? '' : ` (default: ${told})`;
      return `${option.description}${choices}${usual}${option.mandatory ? ' (required)' : ''}`;
    },
  });
  for (const inner of command.commands) complete(inner);
  return command;
}
