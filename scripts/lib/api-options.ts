import { type Command, Option } from 'commander';
import { pathOfCaller } from './option-parsers.ts';

/** The options that say which contract a command reads. */
export interface ApiOptions {
  api: string;
  allowOutside: string[];
}

/** Adds `--api` and `--allow-outside` to a command. @param defaults those of the settings */
export const withApiOptions = (
  program: Command,
  { api, allowOutside = [] }: { api: string; allowOutside?: readonly string[] | undefined },
): Command =>
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
