import { type Command, Option } from 'commander';
import { type CommandDefinition, commandWithSettings, type RunCommand } from '../lib/command.ts';
import { pathOfCaller } from '../lib/option-parsers.ts';
import type { ContractConfig } from './config.ts';
import { readConfig } from './read-config.ts';

/** The options that say which contract a command reads. */
export interface ApiOptions {
  api: string;
  allowOutside: string[];
}

type Definition<Options> = CommandDefinition<Options, ContractConfig>;

/** Creates a command that reads the settings of the project and a contract, with `--api` and `--allow-outside`. */
export const contractCommand = <Options extends ApiOptions>({
  readSettings = readConfig,
  declare,
  run,
}: Pick<Definition<Options>, 'declare' | 'run'> & Partial<Definition<Options>>): RunCommand =>
  commandWithSettings<Options, ContractConfig>({
    readSettings,
    declare: (program, config, name) => declare(withApiOptions(program, config), config, name),
    run,
  });

const withApiOptions = (program: Command, { api, allowOutside = [] }: ContractConfig): Command =>
  program
    .option('--api <file>', 'OpenAPI document (3.0 to 3.2, or Swagger 2.0)', api)
    .addOption(
      new Option(
        '--allow-outside <folder>',
        'folder outside of the project that references of the document may lead into; can be repeated',
      )
        .argParser((folder: string, others: readonly string[]) => [...others, pathOfCaller(folder)])
        .default(allowOutside, allowOutside.join(', ') || 'none'),
    );
