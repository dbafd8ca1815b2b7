import { withDefaults } from '../../features/contacts/columns.ts';
import { addContact } from '../../features/contacts/create.ts';
import { scopes } from '../../own-contract/scopes.ts';
import { issueToken, tokenDays } from '../../security/auth/issue-token.ts';
import type { Secrets } from '../../security/secrets/encryption.ts';
import { lockDatabase } from '../../storage/locks.ts';
import { hasHadCompanies } from '../../storage/queries/companies.ts';
import type { Transaction } from '../../storage/store.ts';
import { seedConversations, threads } from './seed-conversations.ts';
import { exampleCaller, seedExamples } from './seed-examples.ts';

const firstNames = 'Grace Yuki Jürgen Élodie Łukasz Sofia Mateus Aoife Noor Søren'.split(' ');
const lastNames = 'Okafor Tanaka Weiß Marchand Nowak Rossi Conceição Byrne Haddad Mikkelsen'.split(' ');

const inTurn = (names: readonly string[], index: number): string => names[index % names.length] ?? '';

const dayMs = 86_400_000;

/** The company, the user and the token that `createDemoCompany` creates in an empty database. */
export const demoCaller = { ...exampleCaller, tokenId: 1 };

/** Contacts of a demo company without a conversation, besides those of the contract's examples. */
const contactsAlone = 4;

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
  for (let index = 0; index < threads.length + contactsAlone; index += 1)
    ids.push(await addContact(db, companyId, demoContact(index), () => now - 30 * dayMs));
  await seedConversations(db, companyId, ids.slice(0, threads.length), now);
  await addContact(db, companyId, withDefaults({}), () => now);
  const holder = { ...demoCaller, name: 'demo', scopes, days: tokenDays.defaultValue };
  return (await issueToken(db, holder, now)).token;
}

/** Returns a contact. Names, addresses and numbers are unique. */
function demoContact(index: number) {
  const first_name = inTurn(firstNames, index);
  return withDefaults({
    first_name,
    last_name: inTurn(lastNames, index),
    email_address: `${plainLetters(first_name)}.${index + 1}@example.com`,
    telephone_number: `+4470${String(10_000_000 + index)}`,
  });
}

const plainLetters = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replace(/[^a-z]/g, '');
