import { lockCompany, lockFieldDefinitionsExclusive } from '../../storage/locks.ts';
import { insertAll, insertMany } from '../../storage/queries/bulk.ts';
import { listFields } from '../../storage/queries/fields.ts';
import { selectRows, updateRows } from '../../storage/queries/rows.ts';
import type { Database } from '../../storage/store.ts';
import { acceptValues } from '../fields/values.ts';
import { findExistingRecords } from './existing-records.ts';
import {
  type CheckedLine,
  claimOf,
  type ImportPlan,
  type NumberedRecord,
  type Owner,
  type PlannedRecord,
  planImport,
} from './plan.ts';
import type { RecordType } from './record.ts';
import { contactRow, conversationRow, messageRow } from './rows.ts';

/** The result of storing a batch. */
export interface StoredBatch extends Pick<ImportPlan, 'alreadyThere' | 'bad'> {
  made: Record<RecordType, number>;
}

/**
 * Stores a batch with its keys. Lines that were stored before are skipped. No events are published (D42).
 * @param now milliseconds since 1970
 */
export async function storeBatch(
  db: Database,
  companyId: number,
  lines: readonly NumberedRecord[],
  now: number,
): Promise<StoredBatch> {
  // Without this lock, a concurrent update could claim a unique value that these lines contain.
  await lockFieldDefinitionsExclusive(db, companyId);
  await lockCompany(db, companyId);
  const definitions = await listFields(db, companyId);
  const checked = lines.map((line): CheckedLine => {
    const fields = (line.entry.kind === 'contact' && line.entry.fields) || [];
    return { ...line, values: acceptValues(definitions, fields) };
  });
  const taken = await takenValues(db, companyId, checked);
  const { planned, alreadyThere, bad } = planImport(
    checked,
    await findExistingRecords(
      db,
      companyId,
      lines.map(({ entry }) => entry),
    ),
    (value) => taken.has(claimOf(value)),
  );

  const contacts = planned.filter((line) => isOf('contact', line));
  const conversations = planned.filter((line) => isOf('conversation', line));
  const messages = planned.filter((line) => isOf('message', line));
  const rows = contacts.map(({ entry, values }) => contactRow(entry, values, companyId, now));
  number(contacts, await insertMany(db, 'contacts', rows));
  await insertAll(
    db,
    'field_values',
    contacts.flatMap(({ id: contact_id = 0, values }) =>
      values.map(({ fieldId: field_id, value, uniqueDigest: unique_digest }) => ({
        company_id: companyId,
        contact_id,
        field_id,
        value,
        unique_digest,
      })),
    ),
  );
  const threads = conversations.map(({ entry, owner }) =>
    conversationRow(entry, companyId, idOf(owner), now),
  );
  number(conversations, await insertMany(db, 'conversations', threads));
  const messageRows = messages.map(({ entry, owner }) => messageRow(entry, companyId, idOf(owner), now));
  number(messages, await insertMany(db, 'messages', messageRows));
  // The company has written in these conversations (D38).
  const answered = messages.flatMap(({ entry, owner }) => (entry.user_id == null ? [] : [idOf(owner)]));
  const stillNew = { company_id: companyId, id: [...new Set(answered)], new: 1 } as const;
  await updateRows(db, 'conversations', stillNew, { new: 0 });
  const keys = planned.map(({ entry: { kind, key }, id = 0 }) => ({ company_id: companyId, kind, key, id }));
  await insertAll(db, 'import_keys', keys);
  return {
    alreadyThere,
    bad,
    made: { contact: contacts.length, conversation: conversations.length, message: messages.length },
  };
}

const isOf = <K extends RecordType>(
  kind: K,
  line: PlannedRecord,
): line is Extract<PlannedRecord, { kind: K }> => line.kind === kind;

function number(lines: readonly PlannedRecord[], ids: readonly number[]): void {
  for (const [index, line] of lines.entries()) {
    const id = ids[index];
    if (id === undefined) throw new Error('The database returned fewer IDs than rows.');
    line.id = id;
  }
}

const idOf = (owner: Owner): number => ('id' in owner ? owner.id : (owner.planned.id ?? 0));

/** Returns the unique values of these lines that stored contacts already have. */
async function takenValues(
  db: Database,
  companyId: number,
  lines: readonly CheckedLine[],
): Promise<Set<string>> {
  const unique = lines
    .flatMap(({ values }) => values.accepted)
    .filter(({ uniqueDigest }) => uniqueDigest !== null);
  const taken = new Set<string>();
  for (const [fieldId, values] of Map.groupBy(unique, (value) => value.fieldId)) {
    const unique_digest = values.map(({ uniqueDigest }) => uniqueDigest);
    const claim = { company_id: companyId, field_id: fieldId, unique_digest };
    for (const row of await selectRows(db, 'field_values', ['unique_digest'], claim))
      taken.add(claimOf({ fieldId, uniqueDigest: row.unique_digest }));
  }
  return taken;
}
