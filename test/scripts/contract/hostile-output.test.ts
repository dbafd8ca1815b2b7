import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { writeFiles } from '../../support/documents.ts';
import { runCommand, startCommand } from '../../support/run-command.ts';
import { afterAllTests } from '../../support/temporary-folder.ts';
import { attackedDocument, bookDocument, withRichParts } from './hostile-document.ts';

/** Moves the cursor, hides and reverses text, ends the line, and begins commands of CI systems. */
const payload =
  '\u001b[2J\u001b[8m\u009b31m\u202e\u2066\u200b\u0007\r\u2028\u0085\n::error::FORGED\n✘ FORGED\n##[add-mask]FORGED ##vso[x]%0A';

let folder: string;
let [api, base] = ['', ''];

beforeAll(async () => {
  const hostile = attackedDocument(withRichParts(bookDocument), (text) => text + payload);
  const text = JSON.stringify(hostile);
  // Before, there was one more required property, operation and enum value.
  const before = text.replace('"post":', '"patch":').replaceAll('"a\\u001b', '"c\\u001b');
  api = await writeFiles({ 'openapi.json': text, 'before.json': before }, afterAllTests);
  folder = dirname(api);
  base = join(folder, 'before.json');
});

const run = (command: string, given: readonly string[]) => runCommand([command, ...given], { cwd: folder });

/** Returns the parts of an output that a terminal or a CI system would interpret. */
function interpreted(output: string): string[] {
  const controls = output.match(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu) ?? [];
  const commands = output.match(/^\s*::.*|##\w*\[|^✘ FORGED.*/gm) ?? [];
  return [...controls.map((each) => JSON.stringify(each)), ...commands];
}

/** Commands whose output contains texts of the document. */
const commands: [command: string, given: () => string[]][] = [
  ['doctor', () => ['--api', api]],
  ['doctor', () => ['--api', api, '--json']],
  ['lint', () => ['--api', api]],
  ['check', () => ['--api', api, '--base', base]],
  ['check', () => ['--api', api, '--base', base, '--json']],
  ['generate', () => ['--api', api, '--out', join(folder, `generated${payload.replaceAll('/', '')}`)]],
  ['docs', () => ['--api', api, '--out', join(folder, `docs${payload}`)]],
  ['uses', () => ['--project', `missing${payload}`]],
  ['coverage', () => ['--api', `missing${payload}`]],
  ['survive', () => ['--api', api, '--scenario', payload, '--', process.execPath]],
  ['mock', () => ['--api', api, '--scenario', payload, '--scenarios', `missing${payload}`]],
  [payload, () => []],
];

test.each(commands)(
  'the output of command %# contains nothing that a terminal or CI system interprets',
  async (command, given) => {
    const { out, err } = await run(command, given());
    expect(`${out}${err}`).toContain('FORGED');
    expect(interpreted(out)).toEqual([]);
    expect(interpreted(err)).toEqual([]);
    if (given().includes('--json')) expect(JSON.stringify(JSON.parse(out))).toContain('FORGED');
  },
);

test('the output of mock and test contains nothing that a terminal or CI system interprets', async () => {
  const mock = startCommand(['mock', '--api', api, '--port', '0']);
  onTestFinished(mock.stop);
  await mock.ended;
  const url = /listens on (http:\S+)/.exec(mock.out)?.[1];
  await fetch(`${url}/books%1b%0a::error::FORGED`);
  const tested = await run('test', ['--api', api, '--url', `${url}`, '--runs', '2', '--header', 'X-H: h']);
  const output = mock.out + mock.err;
  for (const each of [output, tested.out, tested.err]) expect(interpreted(each), each).toEqual([]);
  expect([output, tested.out].map((each) => each.includes('FORGED'))).toEqual([true, true]);
});

test('with colors, the output contains only the styles of the toolchain', async () => {
  const program = resolve('scripts/commands/parley-contract.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'doctor', '--api', api], {
    cwd: folder,
    env: { ...process.env, FORCE_COLOR: '1', NO_COLOR: '' },
  }).catch((failed) => failed);
  expect(stdout).toContain('\u001b[32m✔\u001b[39m');
  const [first = '', ...others] = stdout.split('\u001b');
  const texts = [first, ...others.map((part: string) => part.replace(/^\[(?:[12]|22|3[1-4]|39)m/, ''))];
  expect(others.filter((part: string) => texts.includes(part))).toEqual([]);
  expect(interpreted(texts.join(''))).toEqual([]);
});

test('commands print only with the functions of scripts/lib/terminal.ts', () => {
  const files = globSync('scripts/{commands,contract,testing}/**/*.ts');
  const direct = files.filter((file) =>
    /process\.std(out|err)\.write|\bconsole\.\w+\(|\bstyleText\(|stdio: 'inherit'|createProgress\(/.test(
      readFileSync(file, 'utf8'),
    ),
  );
  expect(direct).toEqual([]);
});
