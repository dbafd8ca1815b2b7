import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { writeDocument } from '../../../support/documents.ts';
import { runCommand } from '../../../support/run-command.ts';

const check = (...given: string[]) => runCommand(['check', ...given]);

const only = (...names: string[]) => names.flatMap((name) => ['--only', name]);

test('for another contract, skips the checks that need this service, and does not report them as passed', async () => {
  const bookshop = 'test/scripts/contract/generate/contracts/bookshop.yaml';
  const names = ['examples', 'changes', 'generated', 'workflows'];
  const ran = await check('--api', bookshop, '--base', bookshop, ...only(...names));
  expect(ran.err).toMatch(
    /^– workflows {4}not run: it runs only for the contract that api in the settings names/m,
  );
  expect(ran.out).toContain('generated, workflows were not run. 2 of 4 checks passed.');
  expect(ran.code).toBe(0);
  const nothing = await check('--api', bookshop, '--base', bookshop, '--only', 'workflows');
  expect([nothing.code, nothing.out]).toEqual([3, expect.not.stringContaining('✔')]);
});

test('does not compare a contract outside the repository with a Git revision', async () => {
  const file = await writeDocument(document);
  const ran = await check('--api', file, '--base', 'HEAD', ...only('changes'));
  expect([ran.code, ran.err]).toEqual([3, expect.stringContaining('is outside of this repository')]);
});

test.each([
  ['an unknown check', ['--only', 'spelling'], 'Allowed choices are lint, score,'],
  ['a base that there is not', ['--base', 'no-such-revision'], 'neither a file nor a revision'],
  ['a contract that there is not', ['--api', 'no-such-file.yaml'], 'no-such-file.yaml'],
])('given %s, exits with code 2 and a message that helps to fix it', async (_, given, told) => {
  const { code, out, err } = await check(...given);
  expect([code, out + err]).toEqual([2, expect.stringContaining(told)]);
});

test('an undecided change is a warning, and an error with --fail-on-undecided', async () => {
  const contract = (pattern: string) => ({
    openapi: '3.1.1',
    info: { title: 'T', version: '1.0.0' },
    paths: {
      '/codes/{code}': {
        get: {
          parameters: [{ name: 'code', in: 'path', required: true, schema: { type: 'string', pattern } }],
          responses: { 204: { description: 'Yes.' } },
        },
      },
    },
  });
  const before = await writeDocument(contract('^[0-9]{3}$'));
  // A pattern with an assertion inside is not compared.
  const after = await writeDocument(contract('^(?!x)[0-9]{3}$'));
  const given = ['--api', after, '--base', before, ...only('changes')];
  const { code, out } = await check(...given);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/warning .*\n {2}Undecided: .*\(GET \/codes\/\{code\}\)/),
  ]);
  expect((await check(...given, '--fail-on-undecided')).code).toBe(1);
});
