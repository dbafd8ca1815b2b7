import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '../../../server/storage/sqlite/sqlite-store.ts';
import { createLabEnvironment } from '../environment.ts';
import { copyWithMigrations, nextMigration } from '../newer-program.ts';
import { findCorruption, inspectCopy } from './integrity.ts';
import { killStarting } from './kill-during-start.ts';
import type { CrashScenario, ScenarioInput } from './scenario.ts';

/** Number of contacts: enough for the migrations to take a few hundred milliseconds. */
const contacts = 60_000;
/** Number of contacts in a short run, of at most `fewRounds` rounds. */
const fewContacts = 3_000;
const fewRounds = 10;
const timeoutMs = 60_000;

export const killDuringMigration: CrashScenario = {
  name: 'migration',
  what: `kill -9 while a database of ${contacts.toLocaleString('en')} contacts is migrated, and while the migration is repeated`,
  rounds: 200,
  run,
};

/** A migration that reads and changes every row. */
const step = `await db.schema.alterTable('contacts').addColumn('visits', integer).execute();
  await sql\`update contacts set visits = id\`.execute(db);
  for (const table of ['contacts', 'conversations', 'messages'])
    await db.schema.createIndex(\`\${table}_of_test\`).on(table).columns(['updated_at', 'id']).execute();`;

async function run({ rounds, prng, onRound }: ScenarioInput) {
  const folder = mkdtempSync(join(tmpdir(), 'parley crash '));
  const environment = createLabEnvironment(undefined);
  try {
    const old = join(folder, 'old.db');
    await makeOld(old, rounds > fewRounds ? contacts : fewContacts);
    const reference = join(folder, 'reference.db');
    copyFileSync(old, reference);
    const newer = await copyWithMigrations(join(folder, 'newer'), {
      [`${nextMigration(1)}-expand-it`]: step,
    });
    const migrate = async (file: string, maxMs: number) => {
      const startedAt = performance.now();
      const env = { ...environment.env, DATABASE_URL: `file:${encodeURI(file)}` };
      await killStarting(['server/operator/main.ts', 'migrate'], { cwd: newer, env }, maxMs);
      return performance.now() - startedAt;
    };
    const longestMs = await migrate(reference, timeoutMs);
    const startMs = await migrate(reference, timeoutMs);
    const [before, right] = [contentOf(old), contentOf(reference)];
    const wrong: string[] = [];
    const observations = { untouched: 0, inBetween: 0, finished: 0 };
    for (let round = 1; round <= rounds; round += 1) {
      const file = join(folder, 'killed.db');
      for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
      copyFileSync(old, file);
      // Kills the process late in its startup or afterwards, because an earlier kill would precede the migration.
      await migrate(file, startMs * 0.7 + prng.next() * (longestMs - startMs * 0.7));
      const corruption = findCorruption(file);
      if (corruption !== undefined) wrong.push(`round ${round}: ${corruption}`);
      observations[stateOf(file, before, right)] += 1;
      await migrate(file, timeoutMs);
      if (contentOf(file) !== right) wrong.push(`round ${round}: the database differs from the expected one`);
      onRound(round);
    }
    return { observations, wrong };
  } finally {
    await environment.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates a database with rows and the schema of this version. */
async function makeOld(file: string, count: number): Promise<void> {
  await (await openSqlite(file)).close();
  const raw = new DatabaseSync(file);
  raw.exec(`
    INSERT INTO companies (name, created_at) VALUES ('Old', 1);
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      INSERT INTO contacts (company_id, first_name, status, from_integration, from_whatsapp, from_email, is_anonymous,
          search_text, created_at, updated_at)
        SELECT 1, 'Ada ' || n, 'online', 0, 0, 0, 0, 'ada ' || n, n, n FROM numbers;
    INSERT INTO conversations (company_id, caller_id, service, new, is_closed, chatbot_enabled, no_matches_count,
        out_of_office_replied, created_at, updated_at)
      SELECT 1, id, 'mail', 0, 0, 0, 0, 0, created_at, created_at FROM contacts;
    INSERT INTO messages (company_id, conversation_id, type, payload, payload_bytes, new, read, created_at, updated_at)
      SELECT 1, id, 'text', 'said ' || id, 10, 0, 0, 1, 1 FROM conversations`);
  raw.close();
}

/**
 * Returns a hash of the schema, the applied migrations, and the row counts and sums of some tables. `findCorruption`
 * checks the rows themselves.
 */
function contentOf(file: string): string {
  const raw = new DatabaseSync(file);
  const digest = createHash('sha256');
  const schema = raw.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();
  digest.update(JSON.stringify(schema));
  for (const table of ['companies', 'contacts', 'conversations', 'messages'])
    digest.update(
      JSON.stringify(
        raw
          .prepare(`SELECT count(*) AS count, sum(id) AS ids, sum(created_at) AS moments FROM ${table}`)
          .all(),
      ),
    );
  digest.update(JSON.stringify(raw.prepare('SELECT name FROM kysely_migration ORDER BY name').all()));
  raw.close();
  return digest.digest('hex');
}

function stateOf(file: string, before: string, right: string): 'untouched' | 'inBetween' | 'finished' {
  const content = inspectCopy(file, contentOf);
  if (content === right) return 'finished';
  return content === before ? 'untouched' : 'inBetween';
}
