import { withDefaults } from '../../features/contacts/columns.ts';
import { addContact } from '../../features/contacts/create.ts';
import { scopes } from '../../own-contract/scopes.ts';
import { issueToken, tokenDays } from '../../security/auth/issue-token.ts';
import type { Secrets } from '../../security/secrets/encryption.ts';
import { lockDatabase } from '../../storage/locks.ts';
import { hasHadCompanies } from '../../storage/queries/companies.ts';
import type { Transaction } from '../../storage/store.ts';
import { seedConversations } from './seed-conversations.ts';
import { exampleCaller, seedExamples } from './seed-examples.ts';

/** The contacts of a demo company, besides those of the contract's examples. The last ones have no conversation. */
const people: readonly (readonly [first: string, last: string])[] = [
  ['Grace', 'Okafor'],
  ['Yuki', 'Tanaka'],
  ['Jürgen', 'Weiß'],
  ['Élodie', 'Marchand'],
  ['Łukasz', 'Nowak'],
  ['Sofia', 'Rossi'],
  ['Mateus', 'Conceição'],
  ['Aoife', 'Byrne'],
  ['Noor', 'Haddad'],
  ['Søren', 'Mikkelsen'],
];

const dayMs = 86_400_000;

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
  const ids: number[] = [];
  for (const [index, [first_name, last_name]] of people.entries()) {
    const contact = withDefaults({
      first_name,
      last_name,
      email_address: `${plainLetters(first_name)}.${index + 1}@example.com`,
      telephone_number: `+4470${10_000_000 + index}`,
    });
    ids.push(await addContact(db, companyId, contact, () => now - 30 * dayMs));
  }
  await seedConversations(db, companyId, ids, now);
  await addContact(db, companyId, withDefaults({}), () => now);
  const holder = { ...demoCaller, name: 'demo', scopes, days: tokenDays.defaultValue };
  return (await issueToken(db, holder, now)).token;
}

/** Returns the letters of a first name without diacritics. */
const plainLetters = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replace(/[^a-z]/g, '');
