import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRecord } from '../../features/import/record.ts';
import { storeBatch } from '../../features/import/store-batch.ts';
import { scopes } from '../../own-contract/scopes.ts';
import { issueToken, tokenDays } from '../../security/auth/issue-token.ts';
import type { Secrets } from '../../security/secrets/encryption.ts';
import { lockDatabase } from '../../storage/locks.ts';
import { hasHadCompanies } from '../../storage/queries/companies.ts';
import type { Transaction } from '../../storage/store.ts';
import { exampleCaller, seedExamples } from './seed-examples.ts';

/** More contacts, with conversations over every channel and messages of every type, in the format of imports. */
const moreData = join(import.meta.dirname, 'demo-data.ndjson');

/** The company, the user and the token that `createDemoCompany` creates in an empty database. */
export const demoCaller = { ...exampleCaller, tokenId: 1 };

/**
 * If no company ever existed, creates a demo company: that of the contract's examples, with more contacts, and
 * conversations over every channel. In a database that has assigned IDs, those of the examples may be taken.
 * @param now milliseconds since 1970
 * @returns a token with all scopes, which is stored nowhere else; undefined if a company exists or existed
 */
export async function createDemoCompany(
  db: Transaction,
  secrets: Secrets,
  now: number,
): Promise<string | undefined> {
  if (await hasHadCompanies(db)) return undefined;
  await lockDatabase(db);
  if (await hasHadCompanies(db)) return undefined;
  const { companyId } = demoCaller;
  await seedExamples(db, secrets);
  const lines = readFileSync(moreData, 'utf8').trim().split('\n');
  const records = lines.map((line, index) => {
    const parsed = parseRecord(line);
    if (parsed.wrong) throw new Error(`Line ${index + 1} of ${moreData}: ${parsed.wrong.message}`);
    return { number: index + 1, entry: parsed.entry };
  });
  await storeBatch(db, companyId, records, now);
  const holder = { ...demoCaller, name: 'demo', scopes, days: tokenDays.defaultValue };
  return (await issueToken(db, holder, now)).token;
}
