import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { basename, delimiter, join, resolve } from 'node:path';
import { Marked } from 'marked';
import { expect, onTestFinished } from 'vitest';

/** A command of a document, on one line. */
export interface DocumentedCommand {
  /** Such as `README` or `install`. */
  document: string;
  /** The number of the code block in the document. */
  block: number;
  line: string;
}

/** Returns the shell commands that documents show, except those that the guides send to the mock server. */
export function documentedCommands(): DocumentedCommand[] {
  const files = ['README.md', 'CONTRIBUTING.md', ...globSync('openapi/guides/*.md').sort()];
  return files.flatMap((file) => {
    const shown = file.startsWith('openapi/') ? 'sh terminal' : 'sh';
    const code = new Marked()
      .lexer(readFileSync(file, 'utf8'))
      .flatMap((token) => (token.type === 'code' && token.lang === shown ? [String(token.text)] : []));
    return code.flatMap((text, block) =>
      text
        .replaceAll(/ *\\\n */g, ' ')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => ({ document: basename(file, '.md'), block, line })),
    );
  });
}

/** Commands that these tests do not run, with the reason. */
const notRun: [RegExp, string][] = [
  [
    /^(git clone|cd|cp|mkdir|npm (ci|install|init|test))\b/,
    'Installs or tests a project, and starts nothing.',
  ],
  [
    /^(npx --no-install|npm (--prefix \S+ )?run (server|dev|toolchain|mock|generate|client:build|survive|bench|test:))/,
    'Has no database.',
  ],
  [/^curl .*\/_mock\//, 'Goes to the mock server.'],
];

/** Whether tests run a command. Guides on the toolchain start services of other projects. */
export const isRun = ({ document, line }: DocumentedCommand): boolean =>
  !document.startsWith('toolchain') && !notRun.some(([pattern]) => pattern.test(line));

/** Returns the reasons in the list above that apply to no command. */
export const unusedReasons = (commands: readonly DocumentedCommand[]): string[] =>
  notRun.filter(([pattern]) => !commands.some(({ line }) => pattern.test(line))).map(([, reason]) => reason);

/** Whether a command runs until it gets a signal. */
export const keepsRunning = (line: string): boolean => /\bnpm (start|run worker)\b/.test(line);

/**
 * Returns the arguments of an operator command that needs nothing of the shell but quotes, which saves a process.
 * @returns undefined if the line is another command, or uses the shell
 */
export function operatorArguments(line: string): string[] | undefined {
  const [, words] = /^npm run -s parley -- ((?:[\w.,:/=-]|'[\w !-]+'|\s)+)$/.exec(line) ?? [];
  return words?.match(/'[^']+'|\S+/g)?.map((word) => word.replaceAll("'", ''));
}

/** A terminal in a folder, whose `npm` runs the scripts of this project. */
export interface Terminal {
  run(script: string): Promise<{ code: number | null; out: string; err: string }>;
  /** Starts a command that keeps running, and waits until it listens. */
  start(line: string): Promise<{ out: () => string; stop: () => Promise<void> }>;
}

/** @param settings the environment of all commands */
export async function openTerminal(folder: string, settings: Record<string, string>): Promise<Terminal> {
  const programs = join(folder, 'bin');
  await mkdir(programs);
  await writeFile(join(programs, 'npm'), npmScript());
  await chmod(join(programs, 'npm'), 0o755);
  const { DATABASE_URL: _url, PARLEY_SECRET_KEY: _key, ...others } = process.env;
  const env = {
    ...others,
    NODE_ENV: '',
    NO_COLOR: '1',
    PORT: '0',
    ...settings,
    PATH: `${programs}${delimiter}${process.env.PATH}`,
  };
  const open = (script: string) => {
    // A group of its own, so that a signal reaches the command and not only its shell.
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env, detached: true });
    const heard = { out: '', err: '' };
    child.stdout.on('data', (data) => (heard.out += data));
    child.stderr.on('data', (data) => (heard.err += data));
    const exited = once(child, 'close');
    const signal = (name: NodeJS.Signals) =>
      child.exitCode === null && process.kill(-Number(child.pid), name);
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) signal('SIGKILL');
      await exited;
    });
    return { child, heard, exited, signal };
  };
  return {
    async run(script) {
      const { child, heard, exited } = open(script);
      await exited;
      return { code: child.exitCode, ...heard };
    },
    async start(line) {
      const { child, heard, exited, signal } = open(line);
      const failed = exited.then(() => {
        throw new Error(`${line} exited with ${child.exitCode}: ${heard.out}${heard.err}`);
      });
      const begun = expect.poll(() => heard.err).toContain('"started"');
      await Promise.race([begun, failed]);
      return {
        out: () => heard.out,
        async stop() {
          signal('SIGTERM');
          await exited;
        },
      };
    },
  };
}

/** Writes a program that runs npm scripts as npm does, in a third of the time. */
function npmScript(): string {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
  const cases = ['start', 'worker', 'parley'].map((name) => {
    const [program, ...words] = (scripts[name] ?? '').split(' ');
    const absolute = words.map((word) => (/\.m?[jt]s$/.test(word) ? `'${resolve(word)}'` : word));
    if (program !== 'node') throw new Error(`The npm script ${name} does not run node.`);
    return `  ${name}) exec '${process.execPath}' ${absolute.join(' ')} "$@" ;;`;
  });
  return [
    '#!/bin/bash',
    'if [ "$1" = run ]; then shift; fi',
    'if [ "$1" = -s ]; then shift; fi',
    'name=$1; shift',
    'if [ "$1" = -- ]; then shift; fi',
    'case $name in',
    ...cases,
    '  *) echo "Unknown npm script $name" >&2; exit 127 ;;',
    'esac',
    '',
  ].join('\n');
}
