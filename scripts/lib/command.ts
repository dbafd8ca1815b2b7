import { Command, CommanderError } from 'commander';
import type { Progress } from '../../server/lib/progress.ts';
import { commandName } from './command-io.ts';
import { printLines, reportFailure, terminalProgress } from './terminal.ts';

/** Input of a command besides its options. */
export interface Invocation<Settings> {
  /** The command as the user started it, for messages: `npm run mock --` or `parley-contract mock`. */
  name: string;
  settings: Settings;
  /** The arguments that are no options. */
  args: string[];
  /** Hidden with `--json`, and ended by the caller. */
  progress: Progress;
}

/** A command: what it may be given, and what it does. Nothing happens before it is called. */
export interface CommandDefinition<Options, Settings> {
  /** Reads the settings of the project in the working directory. */
  readSettings: () => Promise<Settings>;
  /** Adds the description and the options. */
  declare(program: Command, settings: Settings, name: string): Command;
  /**
   * @returns exit code
   * @throws Error with a message for the user, if the work could not be done: exit code 2
   */
  run(options: Options, invocation: Invocation<Settings>): Promise<number>;
}

/** Runs a command. @param called how it was called, without npm, such as `parley-contract mock` @returns exit code */
export type RunCommand = (given: readonly string[], called: string) => Promise<number>;

/**
 * Creates a command, which prints what it throws, and returns 2 for it and for usage errors.
 */
export const commandWithSettings =
  <Options extends object, Settings>({
    readSettings,
    declare,
    run,
  }: CommandDefinition<Options, Settings>): RunCommand =>
  async (given, called) => {
    const name = commandName(called);
    let progress: Progress | undefined;
    let isJson = false;
    try {
      const settings = await readSettings();
      const program = declare(new Command(name), settings, name)
        .exitOverride()
        .configureOutput({
          // npm needs the dashes only before options.
          writeOut: (text) => printLines(text.trimEnd().replaceAll(/ --$/gm, '')),
          writeErr: (text) => printLines(text.trimEnd(), 'error'),
        })
        .parse([...given], { from: 'user' });
      const options = program.opts<Options & { json?: boolean }>();
      isJson = options.json ?? false;
      progress = terminalProgress(isJson);
      return await run(options, { name, settings, args: program.args, progress });
    } catch (error) {
      progress?.end();
      // Commander uses 1 for usage errors, which stands for failed work here.
      if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
      reportFailure(error, isJson);
      return 2;
    } finally {
      progress?.end();
    }
  };

/**
 * Creates a command that needs no settings.
 * @example
 *   export const wait = command<{ seconds: number }>({
 *     declare: (program) => program.option('--seconds <count>', 'how long to wait', wholeNumber, 1),
 *     run: async ({ seconds }) => (await isOver(seconds)) ? 0 : 1,
 *   });
 *   process.exitCode = await wait(process.argv.slice(2), 'parley-contract wait');
 */
export const command = <Options extends object>({
  declare,
  run,
}: {
  declare(program: Command, name: string): Command;
  run: CommandDefinition<Options, undefined>['run'];
}): RunCommand =>
  commandWithSettings<Options, undefined>({
    readSettings: async () => undefined,
    declare: (program, _settings, name) => declare(program, name),
    run,
  });
