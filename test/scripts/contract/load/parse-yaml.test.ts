import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseYaml } from '../../../../scripts/contract/load/parse-yaml.ts';
import { writeFiles } from '../../../support/load-document.ts';
import { runCommand } from '../../../support/run-command.ts';

const wrong = 'openapi: 3.1.1\npaths:\n  /a:\n    get:\n      operationId: a\n     responses: {}\n';
const excerpt = `:6:6 The file is not valid YAML or JSON: bad indentation of a mapping entry.
  5 |       operationId: a
  6 |      responses: {}
    |      ^
  → Correct this line, or the one before it.`;

test.each([['doctor'], ['lint'], ['check', '--only', 'lint']])(
  '%s shows file, line, column and an excerpt of a contract that cannot be parsed',
  async (...given) => {
    const file = await writeFiles({ 'openapi.yaml': wrong });
    const { code, out, err } = await runCommand([...given, '--api', file]);
    expect(code, out + err).toBeGreaterThan(0);
    expect((out + err).split(`openapi.yaml${excerpt}`)).toHaveLength(2);
  },
);

test('names the file with the mistake, not the one that refers to it', async () => {
  const head = 'openapi: 3.1.1\ninfo: { title: T, version: 1.0.0 }\n';
  const root = await writeFiles({
    'root.yaml': `${head}paths:\n  /a: { $ref: parts/a.yaml }\n  /b: { $ref: parts/a.yaml }\n`,
    'parts/a.yaml': wrong,
  });
  const { err } = await runCommand(['doctor', '--api', root]);
  expect(err).toMatch(/^✘ (?!.*root\.yaml).*parts\/a\.yaml:6:6 /);
  expect(err.split(excerpt)).toHaveLength(2);
});

test('says what is wrong with the path of a contract', async () => {
  const file = await writeFiles({ 'a-file': '' });
  const { err } = await runCommand(['doctor', '--api', join(file, 'openapi.yaml')]);
  expect(err).toBe(
    `✘ ${join(file, 'openapi.yaml')} has a part that is a file, not a folder. Correct the path.\n`,
  );
});

test('shows a part of a long line', () => {
  const before = `{"a": "${'x'.repeat(300)}", `;
  expect(() => parseYaml('a.json', `${before}}}${' '.repeat(300)}`)).toThrow(
    new RegExp(`^a\\.json:1:${before.length + 2} .*\\n {2}1 \\| x{46}", \\}\\}\\n {4}\\| {51}\\^\\n`),
  );
});

test('names the line at which a second document begins', () => {
  expect(() => parseYaml('a.yaml', 'a: 1\n---\nb: 2\n')).toThrow(
    /^a\.yaml:2:1 .* expected a single document/,
  );
});

test('names the line of a scenario file that cannot be parsed', async () => {
  const file = await writeFiles({ 'scenarios.yaml': 'slow:\n  listContacts: { prefer: wait=1\n' });
  const { err } = await runCommand(['mock', '--port', '0', '--scenarios', file]);
  expect(err).toMatch(/scenarios\.yaml:3:1 The file is not valid YAML or JSON: .*\n {2}2 \| {3}listContacts/);
});
