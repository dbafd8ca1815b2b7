import { withDefaults } from '../../../../server/features/contacts/columns.ts';
import { addContact } from '../../../../server/features/contacts/create.ts';
import { openConversation } from '../../../../server/features/conversations/open.ts';
import { addField } from '../../../../server/features/fields/definitions.ts';
import { scopes } from '../../../../server/own-contract/scopes.ts';
import { issueToken } from '../../../../server/security/auth/issue-token.ts';
import { insertCompany } from '../../../../server/storage/queries/companies.ts';
import { openSqlite } from '../../../../server/storage/sqlite/sqlite-store.ts';

export const contactCount = 1_000;

/** Each first name belongs to twenty contacts. */
export const firstNames = Array.from(
  { length: 50 },
  (_, at) => `${['Ada', 'Tom', 'Yuki', 'Sofia', 'Noor'][at % 5]}${'bcdfghklmn'[Math.floor(at / 5)]}el`,
);

/**
 * Creates a company with a conversation and `contactCount` contacts, which have three field values each.
 * @returns an API token of the company, and the conversation's ID
 */
export async function createDataset(file: string): Promise<{ token: string; conversationId: number }> {
  const store = await openSqlite(file);
  const now = Date.now();
  try {
    return await store.write(async (db) => {
      const companyId = await insertCompany(db, { name: 'Bench', created_at: now });
      const fields: number[] = [];
      for (const [name, type] of [
        ['City', 'short_text'],
        ['Orders', 'numbers'],
        ['Customer since', 'date'],
      ] as const)
        fields.push(
          (await addField(db, companyId, { name, type, icon: 'tag', order: undefined, isUnique: false }, now))
            .id,
        );
      const values = ['Malmö', '17', '2024-05-01'];
      let first: number | undefined;
      for (let number = 0; number < contactCount; number += 1) {
        const contact = withDefaults({
          first_name: firstNames[number % firstNames.length] ?? '',
          last_name: `Lindqvist ${number}`,
          email_address: `person.${number}@example.com`,
          telephone_number: '+46701234567',
          from_email: true,
          fields: fields.map((id, at) => ({ id, value: values[at] ?? '' })),
        });
        const id = await addContact(db, companyId, contact, () => now);
        first ??= id;
      }
      const conversation = await openConversation(
        db,
        companyId,
        { service: 'webchat', caller_id: first ?? 0 },
        now,
      );
      const holder = { companyId, userId: 1, name: 'bench', scopes, days: 90 };
      const { token } = await issueToken(db, holder, now);
      return { token, conversationId: conversation.id };
    });
  } finally {
    await store.close();
  }
}
