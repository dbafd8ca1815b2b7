import { Command, type Option } from 'commander';
import { ApiError } from '../contract/errors.ts';
import { errorCode } from '../errors.ts';
import { errorMessage } from '../lib/error-message.ts';
import { ConfigError, readDatabaseConfig } from '../runtime/config/config.ts';
import type { DatabaseConfig } from '../runtime/config/database-url.ts';
import { StoreUnavailable } from '../storage/store.ts';
import { type CommandContext, cliIo, type StoreSettings, UsageError, withStore } from './context.ts';
import { parseInteger } from './options.ts';
import type { Output } from './output.ts';

/** The IDs of objects, by the names of their options. */
export type Ids<Name extends string> = Record<Name, number>;

/** An option of every command. */
export interface JsonOption {
  json?: true;
}

/** @typeParam Place what the command works on */
interface CommandDefinition<Place, Options> {
  name: string;
  /** Its description, which begins with a verb. */
  about: string;
  /** The objects whose IDs are required options, such as `company`. */
  of?: readonly string[];
  /** Adds its other options. */
  options?: (command: Command) => unknown;
  /** More about it, for its help. */
  notes?: string;
  /** Examples for its help, without what starts the program. */
  examples: readonly string[];
  /** Its exit codes, if they mean more than those of other commands. */
  exitCodes?: string;
  /** @param args what is given besides options */
  run: (place: Place, options: Options & JsonOption, args: readonly string[]) => Promise<Output>;
}

/**
 * Defines a command. It opens the database, runs the work, prints the result and sets the exit code: 0 done, 1 rejected or
 * failed, 2 usage error.
 */
export const command = <Options extends object>({
  run,
  mayCreate,
  lockWaitMs,
  ...definition
}: CommandDefinition<CommandContext, Options> & StoreSettings): (() => Command) =>
  commandAt<Options>({
    ...definition,
    run: (address, ...given) =>
      withStore(address, (context) => run(context, ...given), { mayCreate, lockWaitMs }),
  });

/** Defines a command that gets the location of the database instead of an open store. */
export const commandAt =
  <Options extends object>(definition: CommandDefinition<DatabaseConfig, Options>) =>
  (): Command => {
    const { name, about, of = [], options, run } = definition;
    const made = new Command(name).description(about).configureHelp({ optionDescription });
    for (const object of of) made.requiredOption(`--${object} <id>`, `${object} ID`, parseInteger(1));
    options?.(made);
    made.option('--json', 'print JSON');
    return made.addHelpText('after', helpOf(definition)).action(async () => {
      const io = cliIo();
      const { env, stdout, stderr } = io;
      const given = made.opts<Options & JsonOption>();
      io.progress = stderr.progress(given.json ?? false);
      try {
        const running = run(readDatabaseConfig(env), given, made.args);
        const { text, json } = await running.finally(io.progress.end);
        if (given.json) stdout.printJson(json, 2);
        else stdout.print(text);
      } catch (error) {
        report(error, given.json ?? false);
      }
    });
  };

/** Returns the description of an option for the help: with its choices, its default value, and whether it is required. */
function optionDescription({ description, argChoices, mandatory, ...option }: Option): string {
  const { defaultValue, defaultValueDescription: told = JSON.stringify(defaultValue) } = option;
  const choices = argChoices ? ` (${argChoices.join(', ')})` : '';
  const usual = defaultValue === undefined ? '' : ` (default: ${told})`;
  return `${description}${choices}${usual}${mandatory ? ' (required)' : ''}`;
}

function helpOf({
  notes,
  examples,
  exitCodes,
}: Pick<CommandDefinition<never, never>, 'notes' | 'examples' | 'exitCodes'>): string {
  const lines = examples.map((each) => `  ${each.replace(/^(?!.*npm run)/, 'npm run -s parley -- ')}`);
  const shown = [examples.length === 1 ? 'Example:' : 'Examples:', ...lines].join('\n');
  return [notes, shown, exitCodes && `Exit codes: ${exitCodes}`]
    .flatMap((part) => (part === undefined ? [] : `\n${part.trim()}`))
    .join('\n');
}

function report(error: unknown, asJson: boolean): void {
  const message = messageOf(error);
  const code = error instanceof ApiError ? errorCode(error.errorResponse.errorName) : undefined;
  const fields = error instanceof ApiError ? error.errorResponse.fields : '';
  const io = cliIo();
  if (asJson) io.stderr.printJson({ error: { code, message, fields } });
  else io.stderr.printFailure(message);
  io.exitCode = error instanceof ConfigError || error instanceof UsageError ? 2 : 1;
}

/** Returns an error's message. If the database is unavailable, the message includes the cause. */
function messageOf(error: unknown): string {
  return error instanceof StoreUnavailable && error.cause instanceof Error
    ? `${error.message.replace(/\.$/, '')}: ${error.cause.message.replace(/\.$/, '')}.`
    : errorMessage(error);
}
