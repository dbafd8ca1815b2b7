import { PassThrough } from 'node:stream';
import { packageCommands } from '../../scripts/commands/package-commands.ts';
import { repositoryCommands } from '../../scripts/commands/repository-commands.ts';
import { type CommandIo, withCommandIo } from '../../scripts/lib/command-io.ts';
import { exitCodeOf } from '../../scripts/lib/run-command-line.ts';

export interface EndedCommand {
  code: number;
  out: string;
  err: string;
}

export interface StartedCommand {
  /** Resolves when the command has returned. A server still runs then. */
  ended: Promise<EndedCommand>;
  /** Output so far. */
  readonly out: string;
  readonly err: string;
  /** Stops what runs until it is stopped. */
  stop(): void;
}

interface Surroundings {
  /** Working directory, until the command has returned. Commands run one after another if they need it. */
  cwd?: string;
  env?: CommandIo['env'];
}

/** The last command with a working directory of its own: the process has only one. */
let lastInFolder: Promise<unknown> = Promise.resolve();

/**
 * Starts a command of `parley-contract` or of this repository in this process.
 * @param given its name and its arguments
 */
export function startCommand(given: readonly string[], { cwd, env = {} }: Surroundings = {}): StartedCommand {
  const heard = { out: '', err: '' };
  const stops: (() => void)[] = [];
  const listen = (name: 'out' | 'err') =>
    new PassThrough().setEncoding('utf8').on('data', (chunk: string) => {
      heard[name] += chunk;
    });
  const io: CommandIo = {
    env,
    stdout: listen('out'),
    stderr: listen('err'),
    onShutdown: (stop) => void stops.push(stop),
    onInterrupt: () => {},
  };
  const run = async () => {
    const isOurs = Object.hasOwn(packageCommands, given[0] ?? '');
    const commands = isOurs ? packageCommands : repositoryCommands;
    const code = await withCommandIo(io, () =>
      exitCodeOf(given, { name: 'parley-contract', about: '', commands }),
    );
    // Streams pass the last output on in a later turn.
    await new Promise(setImmediate);
    return { code, ...heard };
  };
  const inFolder = async () => {
    const before = process.cwd();
    process.chdir(cwd ?? before);
    return run().finally(() => process.chdir(before));
  };
  const ended = cwd === undefined ? run() : lastInFolder.then(inFolder);
  if (cwd !== undefined) lastInFolder = ended.catch(() => {});
  return {
    ended,
    get out() {
      return heard.out;
    },
    get err() {
      return heard.err;
    },
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

/** Runs a command of `parley-contract` or of this repository in this process, until it returns. */
export const runCommand = (
  given: readonly string[],
  surroundings: Surroundings = {},
): Promise<EndedCommand> => startCommand(given, surroundings).ended;
