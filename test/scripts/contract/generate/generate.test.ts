import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { compileErrors } from '../../../../scripts/lab/public-contracts/compile-errors.ts';
import { runCommand } from '../../../support/run-command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const generate = (...given: string[]) => runCommand(['generate', ...given]);

test('the committed generated files match the contract', async () => {
  expect(await generate('--check')).toMatchObject({ code: 0, err: '' });
});

test('generating twice produces the same bytes', async () => {
  const [one, two] = [await temporaryFolder(), await temporaryFolder()];
  await generate('--out', one);
  await generate('--out', two);
  const files = await readdir(one);
  expect(files.sort()).toEqual((await readdir('generated')).sort());
  for (const file of files) {
    const bytes = await Promise.all([one, two].map((folder) => readFile(join(folder, file), 'utf8')));
    expect(bytes[0]?.replaceAll(one, '')).toBe(bytes[1]?.replaceAll(two, ''));
  }
});

test('generate --check lists all stale, missing and extra files, with the commands that fix them', async () => {
  const out = await temporaryFolder();
  await generate('--out', out);
  await appendFile(join(out, 'types.ts'), '// changed by hand');
  await rm(join(out, 'operations.ts'));
  await writeFile(join(out, 'left-over.ts'), '');

  const { code, err } = await generate('--out', out, '--check');
  expect(code).toBe(1);
  expect(err).toContain('types.ts is stale');
  expect(err).toContain('operations.ts is missing');
  expect(err).toContain(`Run: rm '${out}/left-over.ts'`);
  expect(err).toContain(`Run: npm run generate -- --api openapi/openapi.yaml --out '${out}'`);

  const { out: json } = await generate('--out', out, '--check', '--json');
  expect(JSON.parse(json)).toEqual({
    fresh: false,
    findings: [
      { name: 'operations.ts', problem: 'missing' },
      { name: 'types.ts', problem: 'stale' },
      { name: 'left-over.ts', problem: 'stray' },
    ],
  });
});

test('generate exits with 2 and writes nothing if the contract cannot be read or an option is unknown', async () => {
  const out = await temporaryFolder();
  const { code, err } = await generate('--api', 'nowhere.yaml', '--out', out);
  expect(code).toBe(2);
  expect(err).toContain('nowhere.yaml');
  expect((await generate('--chek')).code).toBe(2);
  expect(await readdir(out)).toEqual([]);
});

const apis: Record<string, string> = {
  'bookshop.yaml': `
    const copy = { title: 'Emma', shelf: 'A1' };
    export const api = {
      listCopies: async ({ path, query, caller }) => {
        const isbn: string = path.isbn;
        const limit: number = query.limit;
        const currency: 'EUR' | 'SEK' = query.currency;
        const shelf: string[] | undefined = query.shelf;
        const nobody: undefined = caller;
        if (limit === 1) return { status: 206, body: [copy] };
        if (isbn === '') return { status: 404, body: { title: 'No such book' } };
        if (shelf) return { status: 503, body: { title: currency } };
        return { status: 200, headers: { 'X-Count': 1 }, mediaType: 'text/csv', body: String(nobody) };
      },
      'add-copy': async ({ body }) => (typeof body === 'string' ? { status: 202 } : { status: 201, body }),
      getPing: async () => ({ status: 204 }),
    } satisfies Api;
    export const wrong = {
      ...api,
      // @ts-expect-error a required header is missing
      listCopies: async () => ({ status: 200, mediaType: 'text/csv', body: '' }),
      // @ts-expect-error no body is documented
      getPing: async () => ({ status: 204, body: 'pong' }),
    } satisfies Api;`,
  'weather.json': `
    export const api = {
      searchReadings: async ({ path, query, headers, caller }) => {
        const station: number = path.station;
        const from: string | undefined = query.between?.from;
        const trace: string = headers['x-trace'];
        if (caller.key !== trace || from) return { status: 304 };
        if (station === 0) return { status: 599 };
        return { status: 200, headers: { Age: 3 }, body: [{ kind: 'wind', speed: null }] };
      },
      replaceReading: async ({ body }) =>
        body?.kind === 'rain' ? { status: 200, body: [body] } : { status: 418, body: {} },
      getForecast: async ({ query }) => ({ status: 200, body: [{ kind: 'rain', depth: query.days ?? 1 }] }),
    } satisfies Api;
    export const wrong = {
      ...api,
      // @ts-expect-error 404 is documented, 500 is not
      replaceReading: async () => ({ status: 500, body: {} }),
    } satisfies Api;
    // @ts-expect-error a handler is missing
    export const missing = { searchReadings: api.searchReadings } satisfies Api;`,
};

test.each(Object.keys(apis))('the types generated for %s accept only correct handlers', async (name) => {
  const out = await temporaryFolder();
  const { code, err } = await generate(
    '--api',
    `test/scripts/contract/generate/contracts/${name}`,
    '--out',
    out,
  );
  expect([code, err]).toEqual([0, '']);
  const header = `
    import type { ApiOf } from '${resolve('server/contract/handler-types.ts')}';
    import { operations, type OperationTypes } from './operations.ts';
    type Api = ApiOf<OperationTypes, typeof operations, { key: string }, undefined>;`;
  await writeFile(join(out, 'api.ts'), header + apis[name]);
  await writeFile(join(out, 'package.json'), '{"type":"module"}');
  expect(compileErrors([join(out, 'api.ts')], { noUnusedLocals: false })).toEqual([]);
});
