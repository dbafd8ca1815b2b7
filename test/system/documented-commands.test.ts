import { globSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { Marked } from 'marked';
import { expect, test } from 'vitest';
import { createProgram } from '../../server/operator/program.ts';
import { readConfig } from '../../server/runtime/config/config.ts';
import { variableNames } from '../../server/runtime/config/config-help.ts';

/** Returns the shell commands of a document, each on one line. */
const commandsIn = (file: string): string[] =>
  new Marked()
    .lexer(readFileSync(file, 'utf8'))
    .flatMap((token) => (token.type === 'code' && token.lang?.startsWith('sh') ? [String(token.text)] : []))
    .flatMap((text) => text.replaceAll(/ *\\\n */g, ' ').split('\n'));

/** Returns a command and all its subcommands. */
const withInner = (command: Command): Command[] => [command, ...command.commands.flatMap(withInner)];

/** Returns the help of all commands of the operator, which has examples, but not how to use the command in general. */
const linesOfHelp = (): string[] =>
  withInner(createProgram()).flatMap((command) => {
    let help = '';
    command.configureOutput({
      writeOut: (text) => {
        help += text;
      },
    });
    command.outputHelp();
    return help.split('\n').filter((line) => !line.startsWith('Usage:'));
  });

const documents = ['README.md', ...globSync('openapi/guides/*.md').sort()];
const lines = [...documents.flatMap(commandsIn), ...linesOfHelp()];

/** Parses the arguments of a command as the program does, and runs nothing. @throws CommanderError */
async function parse(words: readonly string[]): Promise<void> {
  const program = createProgram();
  for (const command of withInner(program)) {
    command.exitOverride().configureOutput({ writeErr: () => {} });
    if (command.commands.length === 0) command.action(() => {});
  }
  await program.parseAsync(words, { from: 'user' });
}

const operatorCommands = lines.flatMap((line) => {
  const [, given] = /\bnpm run -s parley -- (?!--)(.+?)( >.*)?$/.exec(line) ?? [];
  return given === undefined ? [] : [given];
});

test.each([...new Set(operatorCommands)])('parley accepts the documented arguments: %s', async (given) => {
  const words = given.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  await parse(words.map((word) => word.replace(/^(['"])(.*)\1$/, '$2')));
});

test('a command with a missing or unknown option is rejected', async () => {
  await expect(parse(['token', 'list', '--user', '1'])).rejects.toThrow('unknown option');
  await expect(parse(['token', 'create', '--company', '1'])).rejects.toThrow('--user');
  expect(operatorCommands.length).toBeGreaterThan(60);
});

test('documented commands set environment variables that exist to values that they accept', () => {
  const settings = lines
    .filter((line) => /\bnpm (start|run worker|run -s parley)\b/.test(line))
    .flatMap((line) => Array.from(line.matchAll(/\b([A-Z_]+)=(\S+)/g)));
  expect(settings.length).toBeGreaterThan(5);
  for (const [, name = '', value = ''] of settings) {
    expect(variableNames()).toContain(name);
    // The output of another command is not known.
    if (!value.includes('$(')) expect(() => readConfig({ [name]: value }), name).not.toThrow();
  }
});
