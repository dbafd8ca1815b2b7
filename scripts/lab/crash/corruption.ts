import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '../../../server/storage/sqlite/sqlite-store.ts';
import { StoreCorrupted } from '../../../server/storage/store.ts';
import { createLabEnvironment } from '../environment.ts';
import type { CrashScenario, ScenarioInput } from './scenario.ts';
import { createCrashCompany, databaseFileIn, startCrashableService } from './service-process.ts';

const contacts = 300;

export const corruption: CrashScenario = {
  name: 'corruption',
  what: 'a bit of the file is flipped, or the file is truncated, while no process uses it',
  rounds: 400,
  run,
};

/**
 * How corruption was noticed: at startup, by the integrity check, or not at all, because it had no effect or only
 * changed stored values.
 */
type Noticed = 'atStart' | 'byIntegrityCheck' | 'withoutEffect' | 'otherValue';

async function run({ rounds, prng, onRound }: ScenarioInput) {
  const folder = mkdtempSync(join(tmpdir(), 'parley corruption '));
  try {
    const intact = join(folder, 'sound.db');
    await fill(intact);
    const whole = readFileSync(intact);
    const content = contentOf(intact);
    const observations = {
      flipped: 0,
      cut: 0,
      atStart: 0,
      byIntegrityCheck: 0,
      withoutEffect: 0,
      otherValue: 0,
    };
    const wrong: string[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const isCut = round % 4 === 0;
      const at = prng.below(whole.length);
      const left = isCut ? whole.subarray(0, at) : flipped(whole, at, prng.below(8));
      const file = join(folder, `damaged ${round}.db`);
      writeFileSync(file, left);
      observations[isCut ? 'cut' : 'flipped'] += 1;
      const noticed = await tryToUse(file, content);
      observations[noticed] += 1;
      if (isCut && at > 0 && noticed !== 'atStart') wrong.push(`cut at ${at}: ${noticed}`);
      if (noticed === 'atStart' && !readFileSync(file).equals(left))
        wrong.push(`byte ${at}: the file was rejected, but written to`);
      for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true });
      onRound(round);
    }
    return { observations, wrong };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function flipped(whole: Buffer, at: number, bit: number): Buffer {
  const bytes = Buffer.from(whole);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  return bytes;
}

/** Creates a database of contacts, as a service leaves it after shutdown. */
async function fill(file: string): Promise<void> {
  const environment = createLabEnvironment(undefined);
  try {
    const { child, base } = await startCrashableService(environment);
    const token = await createCrashCompany(environment);
    for (let number = 0; number < contacts; number += 1)
      await fetch(`${base}/api/v1/contacts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ first_name: `Ada ${number}` }),
      }).then((response) => response.arrayBuffer());
    await environment.end(child);
    copyFileSync(databaseFileIn(environment), file);
  } finally {
    await environment.close();
  }
}

/** Returns all values of all tables. */
function contentOf(file: string): string {
  const raw = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    return JSON.stringify(
      tables.map(({ name }) => raw.prepare(`SELECT * FROM "${name}"`).all()),
      (_key, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value),
    );
  } finally {
    raw.close();
  }
}

async function tryToUse(file: string, content: string): Promise<Noticed> {
  const store = await openSqlite(file).catch(() => undefined);
  if (!store) return 'atStart';
  try {
    if ((await store.checkIntegrity()) === undefined)
      return contentOf(file) === content ? 'withoutEffect' : 'otherValue';
    const isRefused = await store.write(async () => false).catch((error) => error instanceof StoreCorrupted);
    if (!isRefused) throw new Error('The service wrote to a file that it knows to be corrupted.');
    return 'byIntegrityCheck';
  } finally {
    await store.close().catch(() => {});
  }
}
