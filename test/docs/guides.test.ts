import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, connect } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import document from '../../generated/openapi.json' with { type: 'json' };
import { buildClient } from '../../scripts/client/build.ts';
import { createMock, ownContract } from '../../scripts/mock/server.ts';
import { createStatefulMock } from '../../scripts/mock/stateful.ts';
import { scopes } from '../../server/contract/scopes.ts';
import { callOf } from '../../server/delivery/call.ts';
import { steps } from '../../server/delivery/schedule.ts';
import { signingKey } from '../../server/delivery/sign.ts';
import { listening } from '../http.ts';
import { hasProgram } from '../programs.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Sample, sampledGuides } from './samples.ts';

const run = promisify(execFile);
const guides = sampledGuides();
const at = 'http://127.0.0.1:4010';

/** A project of a reader, in which the client is installed. */
let project: string;

beforeAll(async () => {
  project = await temporaryFolder((end) => afterAll(end));
  await mkdir(join(project, 'node_modules'));
  await buildClient(join(project, 'node_modules/parley-client'));
  for (const name of [
    'openapi-fetch',
    'openapi-typescript-helpers',
    'openapi-react-query',
    '@types',
    '@tanstack',
    'react',
  ])
    await symlink(resolve('node_modules', name), join(project, 'node_modules', name));
  await writeFile(join(project, 'package.json'), '{"type": "module"}');
}, 60_000);

async function startMock(stateful: boolean): Promise<string> {
  if (!stateful) return listening((await createMock({ api: ownContract })).server);
  const mock = await createStatefulMock({});
  onTestFinished(() => mock.close());
  return listening(mock.server);
}

const ofLanguage = (samples: Sample[], ...languages: string[]) =>
  samples.filter(({ language, role }) => languages.includes(language) && role === '');

/** What was printed is what the guide shows: as JSON, where it is that. */
function expectAnswer({ answer, code }: Sample, printed: string): void {
  if (!answer) return;
  if (answer.language === 'json') expect(JSON.parse(printed), code).toEqual(JSON.parse(answer.text));
  else expect(printed.trim().replaceAll('\r', ''), code).toBe(answer.text.trim());
}

test('there is a guide for each question', () => {
  expect(guides.map(({ name }) => name)).toEqual([
    'authentication',
    'client',
    'custom-fields',
    'errors',
    'first-steps',
    'mock',
    'paging',
    'versions',
    'webhooks',
    'writing',
  ]);
});

test('every piece of code is one that is run here, or names commands that there are', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const { name, samples } of guides)
    for (const { language, role, code } of samples) {
      const kind = `${language} ${role}`.trim();
      expect(
        ['sh', 'ts', 'sh terminal', 'ts receiver', 'python receiver', 'php receiver'],
        `${name}: ${code}`,
      ).toContain(kind);
      if (role === 'terminal')
        for (const [, script = ''] of code.matchAll(/npm (?:run )?(\w+)/g))
          expect([...Object.keys(scripts), 'ci', 'install', 'init', 'pkg'], code).toContain(script);
    }
});

test.each(guides.filter(({ samples }) => ofLanguage(samples, 'sh').length > 0))(
  'what $name types into a shell prints what it says',
  async ({ samples, stateful }) => {
    const base = await startMock(stateful);
    const typed = ofLanguage(samples, 'sh');
    const boundary = '─── the next one';
    const script = typed.map(({ code }) => code).join(`\necho '${boundary}'\n`);
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script.replaceAll(at, base)], {
      cwd: project,
    });
    const printed = stdout.split(`${boundary}\n`);
    expect(printed).toHaveLength(typed.length);
    for (const [index, sample] of typed.entries()) expectAnswer(sample, printed[index] ?? '');
  },
);

test.each(guides.filter(({ samples }) => ofLanguage(samples, 'ts').length > 0))(
  'the programs of $name print what it says',
  async ({ name, samples, stateful }) => {
    const base = await startMock(stateful);
    for (const [index, sample] of ofLanguage(samples, 'ts').entries()) {
      const file = `${name}-${index}.ts`;
      await writeFile(join(project, file), sample.code.replaceAll(at, base));
      const env = { ...process.env, PORT: String(await freePort()) };
      const { stdout, stderr } = await run(process.execPath, [file], { cwd: project, env });
      expect(stderr, sample.code).toBe('');
      expectAnswer(sample, stdout);
    }
  },
);

test('all programs in TypeScript compile, strictly', async () => {
  const files: string[] = [];
  for (const { name, samples } of guides)
    for (const [index, { language, code }] of samples.filter((each) => each.language === 'ts').entries()) {
      files.push(`all-${name}-${index}.${language}`);
      await writeFile(join(project, files.at(-1) ?? ''), code);
    }
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2024',
    '--module',
    'nodenext',
    '--jsx',
    'preserve',
  ];
  const lib = ['--lib', 'es2024,dom,dom.iterable', '--types', 'node'];
  const { stdout } = await run(process.execPath, [compiler, ...options, ...lib, ...files], {
    cwd: project,
  }).catch(({ stdout }: { stdout: string }) => ({ stdout }));
  expect(stdout).toBe('');
}, 60_000);

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const other = `whsec_${Buffer.from('fedcba9876543210fedcba9876543210').toString('base64')}`;

const receivers: Record<string, { file: string; program: string; given: (port: string) => string[] }> = {
  ts: { file: 'receiver.ts', program: process.execPath, given: () => ['receiver.ts'] },
  python: { file: 'receiver.py', program: 'python3', given: () => ['receiver.py'] },
  php: { file: 'receiver.php', program: 'php', given: (port) => ['-S', `127.0.0.1:${port}`, 'receiver.php'] },
};

test.each(
  Object.keys(receivers).filter(
    (language) => language === 'ts' || hasProgram(receivers[language]?.program ?? ''),
  ),
)('the receiver in %s takes what Parley sends by each verb, and nothing else', async (language) => {
  const sample = guides
    .flatMap(({ samples }) => samples)
    .find((each) => each.language === language && each.role === 'receiver');
  const receiver = receivers[language];
  if (!sample || !receiver) throw new Error(`There is no receiver in ${language}.`);
  await writeFile(join(project, receiver.file), sample.code);
  const port = String(await freePort());
  const child = spawn(receiver.program, receiver.given(port), {
    cwd: project,
    env: { ...process.env, PORT: port, PARLEY_WEBHOOK_SECRET: secret },
  });
  onTestFinished(() => void child.kill());
  const failed = new Promise<never>((_done, fail) => child.on('error', fail));
  const url = `http://127.0.0.1:${port}/in?shop=1`;
  const up = expect
    .poll(
      () =>
        fetch(url).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 15_000 },
    )
    .toBe(400);
  await Promise.race([up, failed]);

  const call = (verb: 1 | 2 | 3 | 4, by = secret, now = Date.now()) =>
    callOf(
      {
        id: 'msg_31_118',
        payload: JSON.stringify(document.components.examples.MessageCreatedEvent.value),
        webhook: { verb_id: verb, url },
        keys: [by].flat().map(signingKey),
      },
      now,
    );
  const send = async ({ url: to, ...init }: ReturnType<typeof call>) => (await fetch(to, init)).status;
  for (const verb of [1, 2, 3, 4] as const) {
    expect(await send(call(verb)), `verb ${verb}`).toBe(204);
    expect(await send(call(verb, other)), `verb ${verb}, another secret`).toBe(400);
    expect(await send(call(verb, secret, Date.now() - 400_000)), `verb ${verb}, old`).toBe(400);
  }
  const sound = call(3);
  expect(await send({ ...sound, body: `${sound.body} ` })).toBe(400);
  const { 'webhook-signature': signature, ...unsigned } = sound.headers;
  expect(await send({ ...sound, headers: unsigned })).toBe(400);
  // While a secret is being replaced, there are two signatures.
  const [left = '', right = ''] = [call(3, other).headers['webhook-signature'], signature];
  expect(await send({ ...sound, headers: { ...unsigned, 'webhook-signature': `${left} ${right}` } })).toBe(
    204,
  );
  child.kill();
  await once(child, 'exit');
});

test.each(['python', 'php'].filter((language) => hasProgram(receivers[language]?.program ?? '')))(
  'the receiver in %s believes nobody while it has no secret',
  async (language) => {
    const receiver = receivers[language];
    const sample = guides.flatMap(({ samples }) => samples).find((each) => each.language === language);
    if (!sample || !receiver) throw new Error(`There is no receiver in ${language}.`);
    await writeFile(join(project, receiver.file), sample.code);
    const port = String(await freePort());
    const env = { ...process.env, PORT: port, PARLEY_WEBHOOK_SECRET: '' };
    const child = spawn(receiver.program, receiver.given(port), { cwd: project, env });
    onTestFinished(() => void child.kill());
    const seconds = String(Math.floor(Date.now() / 1000));
    const body = '{"type":"message.created","data":{"id":1}}';
    const mac = createHmac('sha256', '').update(`a.${seconds}.${body}`).digest('base64');
    const headers = { 'webhook-id': 'a', 'webhook-timestamp': seconds, 'webhook-signature': `v1,${mac}` };
    const send = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
    // It does not start, or it answers that something is wrong with itself.
    const ended = once(child, 'exit').then(() => 'it has not started');
    const answered = expect
      .poll(
        () =>
          send().then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 15_000 },
      )
      .toBe(500);
    await Promise.race([answered, ended]);
  },
);

test('an event in a body or a query is stopped at a megabyte, and a broken off call stops nobody', async () => {
  const sample = guides
    .flatMap(({ samples }) => samples)
    .find((each) => each.role === 'receiver' && each.language === 'ts');
  await writeFile(join(project, 'receiver.ts'), sample?.code ?? '');
  const port = String(await freePort());
  const child = spawn(process.execPath, ['receiver.ts'], {
    cwd: project,
    env: { ...process.env, PORT: port, PARLEY_WEBHOOK_SECRET: secret },
  });
  onTestFinished(() => void child.kill());
  const url = `http://127.0.0.1:${port}/`;
  await expect
    .poll(
      () =>
        fetch(url).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 15_000 },
    )
    .toBe(400);
  const broken = connect(Number(port), '127.0.0.1');
  await once(broken, 'connect');
  broken.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc', () => broken.destroy());
  await once(broken, 'close');
  const large = await fetch(url, { method: 'POST', body: 'x'.repeat(1_100_000) }).then(
    ({ status }) => status,
    () => 413,
  );
  expect([large, (await fetch(url)).status]).toEqual([413, 400]);
});

test('the numbers of verbs, entities and actions are those of the contract', () => {
  const { WebhookVerbId, WebhookEntityId, WebhookActionId } = document.components.schemas;
  const rows = tableIn('webhooks', '`verb_id` | `entity_id`');
  for (const [column, { enum: ids, 'x-enum-varnames': names }] of [
    [1, WebhookVerbId],
    [2, WebhookEntityId],
    [3, WebhookActionId],
  ] as const)
    for (const [index, id] of ids.entries())
      expect(rows.find(([number]) => number === String(id))?.[column], `${id}`).toBe(names[index]);
});

test('the tarball that is named is the one that is made', () => {
  const { version } = JSON.parse(readFileSync('client/package.json', 'utf8'));
  for (const file of ['README.md', 'openapi/guides/first-steps.md']) {
    const named = readFileSync(file, 'utf8').match(/parley-client-[\d.]+tgz/g) ?? [];
    expect(new Set(named), file).toEqual(new Set([`parley-client-${version}.tgz`]));
  }
});

test('the guide on webhooks has the table of attempts that the worker goes by', () => {
  const rows = [...tableIn('webhooks', 'after the one before')];
  const unit: Record<string, number> = { second: 1_000, minute: 60_000, hour: 3_600_000 };
  const told = rows.map(([, after = '']) => {
    const [, count, name = ''] = /^(\d+) (\w+?)s?$/.exec(after) ?? [];
    return after === 'at once' ? 0 : Number(count) * (unit[name] ?? Number.NaN);
  });
  expect(told).toEqual(steps);
  expect(rows.map(([number]) => Number(number))).toEqual(steps.map((_, index) => index + 1));
});

test('the guide on authentication has every scope', () => {
  const told = tableIn('authentication', '| scope |').map(([scope = '']) => scope.replaceAll('`', ''));
  expect(told.sort()).toEqual([...scopes]);
});

test('the guide on custom fields has every type', () => {
  const told = tableIn('custom-fields', '| type |').map(([type = '']) => type.replaceAll('`', ''));
  expect(told.sort()).toEqual([...document.components.schemas.FieldType.enum].sort());
});

/** The rows of the table whose head has these words. */
function tableIn(guide: string, words: string): string[][] {
  const text = readFileSync(`openapi/guides/${guide}.md`, 'utf8');
  const [table = ''] = text.split('\n\n').filter((part) => part.startsWith('|') && part.includes(words));
  const [, , ...rows] = table.trim().split('\n');
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
