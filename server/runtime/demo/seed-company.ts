import { withDefaults } from '../../features/contacts/columns.ts';
import { addContact } from '../../features/contacts/create.ts';
import { scopes } from '../../own-contract/scopes.ts';
import { issueToken, tokenDays } from '../../security/auth/issue-token.ts';
import type { Secrets } from '../../security/secrets/encryption.ts';
import { lockDatabase } from '../../storage/locks.ts';
import { hasHadCompanies } from '../../storage/queries/companies.ts';
import type { Transaction } from '../../storage/store.ts';
import { generatedThreads, seedConversations } from './seed-conversations.ts';
import { exampleCaller, seedExamples } from './seed-examples.ts';

const people = [
  ['Grace', 'Okafor', '+2348012345678'],
  ['Yuki', 'Tanaka', '+819012345678'],
  ['Jürgen', 'Weiß', '+491701234567'],
  ['Élodie', 'Marchand', '+33612345678'],
  ['Łukasz', 'Nowak', '+48501234567'],
  ['Sofia', 'Rossi', '+393331234567'],
  ['Mateus', 'Conceição', '+5511912345678'],
  ['Aoife', 'Byrne', '+353861234567'],
  ['Noor', 'Haddad', '+96170123456'],
  ['Søren', 'Mikkelsen', '+4520123456'],
] as const;

const personAt = (index: number): (typeof people)[number] => people[index % people.length] ?? people[0];

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
  const fieldIds = await seedExamples(db, secrets);
  const contactIds: number[] = [];
  for (const [index, person] of people.entries())
    contactIds.push(await addContact(db, companyId, bodyOf(person, index, fieldIds), () => now - 30 * dayMs));
  await seedConversations(db, companyId, contactIds, now);
  await addContact(db, companyId, withDefaults({}), () => now);
  const holder = { ...demoCaller, name: 'demo', scopes, days: tokenDays.defaultValue };
  return (await issueToken(db, holder, now)).token;
}

/**
 * Adds conversations and contacts to the demo company. Each conversation has a contact of its own. Addresses and numbers of
 * contacts are unique, and the names of the first 1,000.
 * @param counts numbers of conversations, and of contacts without a conversation
 * @param now milliseconds since 1970
 */
export async function addGeneratedContacts(
  db: Transaction,
  counts: { contacts: number; conversations: number },
  now: number,
): Promise<void> {
  const { companyId } = demoCaller;
  const ids: number[] = [];
  for (let index = 0; index < counts.conversations + counts.contacts; index += 1) {
    const [first_name] = personAt(index);
    const [, last] = personAt(Math.floor(index / 10));
    const last_name = index < 100 ? last : `${personAt(Math.floor(index / 100))[1]} ${last}`;
    const contact = withDefaults({
      first_name,
      last_name,
      email_address: `${plainLetters(first_name)}.${index + 1}@example.com`,
      telephone_number: `+4470${String(10_000_000 + index)}`,
    });
    ids.push(await addContact(db, companyId, contact, () => now));
  }
  await seedConversations(db, companyId, ids, now, generatedThreads(counts.conversations));
}

function bodyOf(
  [first_name, last_name, telephone_number]: (typeof people)[number],
  index: number,
  ids: number[],
) {
  const email_address = `${plainLetters(first_name)}.${plainLetters(last_name)}@example.com`;
  const values = [
    `C-${1001 + index}`,
    `Met at the fair in ${2020 + (index % 6)}.`,
    String(3 * index),
    '+442071234567',
    email_address,
    `${500 + 50 * index} EUR`,
    `${2020 + (index % 6)}-0${1 + (index % 9)}-15`,
  ];
  // As in real data, contacts lack some values.
  const kept = values.flatMap((value, fieldIndex) =>
    fieldIndex > 0 && (index + fieldIndex) % 3 === 0 ? [] : [{ fieldIndex, value }],
  );
  return withDefaults({
    first_name,
    last_name,
    email_address,
    telephone_number,
    from_email: index % 2 === 0,
    from_whatsapp: index % 3 === 0,
    fields: kept.map(({ fieldIndex, value }) => ({ id: ids[fieldIndex] ?? 0, value })),
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
