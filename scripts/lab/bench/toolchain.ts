import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations as operationsBefore } from '../../../generated/operations.ts';
import { copyProject } from '../../lib/project-copy.ts';
import type { Measurement } from '../../lib/statistics.ts';
import { asNpmStarts } from '../environment.ts';

/**
 * Numbers of operations in the generated contracts. Each consists of Parley's own operations and copies of the contact
 * operations, and each copy has its own schemas.
 */
const sizes = [125, 250, 500];

/** Number of operations that each copy of the contact operations adds. */
const ofOneCopy = 5;

interface Tool {
  name: string;
  args: string[];
  /** Exit codes that mean success. */
  fine: number[];
  maxSeconds?: number;
}

const tools: readonly Tool[] = [
  { name: 'generate', args: ['scripts/commands/generate.ts'], fine: [0], maxSeconds: 10 },
  { name: 'lint', args: ['scripts/commands/lint.ts'], fine: [0] },
  // Checks that do not need the service, because the copies have no handlers.
  {
    name: 'contract check',
    args: [
      'scripts/commands/contract-check.ts',
      ...['lint', 'score', 'examples', 'changes'].flatMap((check) => ['--only', check]),
      ...['--base', 'before.json'],
    ],
    fine: [0, 1, 3],
  },
];

/** Measures how startup time and the tools scale with the size of the contract. */
export async function benchToolchain(
  { rounds }: { rounds: number },
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const took = new Map<string, number[]>();
  const note = (what: string, seconds: number) => took.set(what, [...(took.get(what) ?? []), seconds]);
  for (const size of sizes) {
    const folder = await mkdtemp(join(tmpdir(), 'parley bench '));
    try {
      await copyProject(folder, [
        'openapi',
        'scripts',
        'server',
        'client',
        'generated',
        'package.json',
        'parley-contract.config.ts',
        'redocly.yaml',
        'tsconfig.json',
        'biome.json',
      ]);
      await writeFile(join(folder, 'before.json'), await readFile('generated/openapi.json'));
      await grow(folder, size);
      for (let round = 1; round <= rounds; round += 1)
        for (const { name, args, fine } of tools) {
          onProgress(`toolchain: ${size} operations, ${name}, round ${round} of ${rounds}`);
          note(`${name}, ${size} operations, s`, await timed(folder, args, fine));
        }
      for (let round = 0; round <= rounds; round += 1) {
        const seconds = await untilListening(folder);
        // Round 0 is a warm-up, which creates Node's compile cache.
        if (round > 0) note(`server start, ${size} operations, s`, seconds);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  const [smallest = 1, largest = 1] = [sizes[0], sizes.at(-1)];
  return [
    ...tools.map(({ name, maxSeconds }) => ({ name, maxSeconds })),
    { name: 'server start', maxSeconds: undefined },
  ].flatMap(({ name, maxSeconds }) => {
    const of = (size: number) => took.get(`${name}, ${size} operations, s`) ?? [];
    return [
      ...sizes.map((size) => ({
        what: `${name}, ${size} operations, s`,
        values: of(size),
        ...(size === largest && maxSeconds !== undefined ? { goal: { most: maxSeconds } } : {}),
      })),
      {
        what: `${name}: ${largest} / ${smallest} operations`,
        values: of(largest).map((seconds, at) => seconds / (of(smallest)[at] ?? Number.NaN)),
        goal: { most: largest / smallest },
      },
    ];
  });
}

/** Components that are copied with the operations. All copies share the parameters, headers and examples. */
const own = {
  schemas: ['Contact', 'ContactCreate', 'ContactUpdate', 'ContactFieldValue', 'ContactStatus'],
  responses: ['Contact', 'ContactCreated', 'ContactUpdated', 'Contacts', 'ContactsFound'],
};

/** Adds copies of the contact operations to a contract, until it has about `operations` operations. */
async function grow(folder: string, operations: number): Promise<void> {
  const root = join(folder, 'openapi');
  const main = await readFile(join(root, 'openapi.yaml'), 'utf8');
  const copies = Math.round((operations - Object.keys(operationsBefore).length) / ofOneCopy);
  const paths: string[] = [];
  for (let copy = 1; copy <= copies; copy += 1) {
    const renamed = (text: string, location: string) => {
      const names = Object.entries(own).flatMap(([part, all]) => all.map((name) => ({ part, name })));
      const referred = names.reduce(
        (done, { part, name }) =>
          done
            .replaceAll(`/${part}/${name}.yaml`, `/${part}/${name}${copy}.yaml`)
            .replaceAll(` ${location === part ? name : '\0'}.yaml`, ` ${name}${copy}.yaml`),
        text,
      );
      return referred.replaceAll(/operationId: (\w+)/g, `operationId: $1${copy}`);
    };
    const copyFile = async (from: string, to: string, location: string) =>
      writeFile(join(root, to), renamed(await readFile(join(root, from), 'utf8'), location));
    for (const [part, names] of Object.entries(own))
      for (const name of names)
        await copyFile(`components/${part}/${name}.yaml`, `components/${part}/${name}${copy}.yaml`, part);
    for (const end of ['', '/search', '/{id}']) {
      const file = `paths/contacts${copy}${end.replace('/', '_')}.yaml`;
      await copyFile(`paths/contacts${end.replace('/', '_')}.yaml`, file, 'paths');
      paths.push(`  /api/v1/contacts${copy}${end}:\n    $ref: ${file}\n`);
    }
  }
  await writeFile(join(root, 'openapi.yaml'), main.replace(/^paths:\n/m, `paths:\n${paths.join('')}`));
}

async function timed(folder: string, args: string[], fine: readonly number[]): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (data) => {
    output += data;
  });
  const [code] = await once(child, 'close');
  if (!fine.includes(code)) throw new Error(`${args.join(' ')} exited with ${code}: ${output.slice(-2_000)}`);
  return (performance.now() - startedAt) / 1_000;
}

async function untilListening(folder: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, asNpmStarts, {
    cwd: folder,
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: 'file:bench.db' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('The service exited.'))),
  ]);
  const seconds = (performance.now() - startedAt) / 1_000;
  child.kill('SIGTERM');
  await ended;
  return seconds;
}
