import { presentRow } from '../../own-contract/present-row.ts';
import { formatTimestamp } from '../../own-contract/timestamp.ts';
import { findCompany } from '../../storage/queries/companies.ts';
import type { ContactWithValues } from '../../storage/queries/contact-values.ts';
import type { ConversationRow } from '../../storage/queries/conversations.ts';
import { batchSize, listAllContacts } from '../../storage/queries/erasure.ts';
import type { MessageRow } from '../../storage/queries/messages.ts';
import { listRows } from '../../storage/queries/rows.ts';
import { type OwnedTable, ownedFacts, ownedTables, type TablesWith } from '../../storage/schema.ts';
import type { Database, Store } from '../../storage/store.ts';
import { presentContact } from '../contacts/present.ts';
import { presentConversation } from '../conversations/present.ts';
import { presentMessage } from '../messages/present.ts';

/** The destinations of an export. */
export interface ExportSinks {
  /** Receives data that is not deleted, in the import format. */
  history: (text: string) => Promise<void>;
  /** Receives deleted data that is still stored. */
  deleted: (text: string) => Promise<void>;
}

type HistoryTable = TablesWith<{ exported: 'in the history' }>;

/** The numbers of rows that were exported. */
type Exported = Record<HistoryTable | 'deleted', number>;

/**
 * Exports all contacts, conversations and messages of a company, in batches. Data that changes during the export is
 * exported as it is when its batch is read.
 */
export async function exportHistory(
  store: Store,
  companyId: number,
  files: ExportSinks,
  onProgress: (exported: Exported) => void,
): Promise<Exported> {
  const exported: Exported = { contacts: 0, conversations: 0, messages: 0, deleted: 0 };
  // Children of deleted entities are exported as deleted. Children of entities that were created too late to be
  // exported are skipped.
  const goneIds = {
    contacts: new Set<number>(),
    conversations: new Set<number>(),
    messages: new Set<number>(),
  };
  const lastIds: Record<HistoryTable, number> = { contacts: 0, conversations: 0, messages: 0 };
  const writeAll = async <Row>(
    kind: HistoryTable,
    list: (db: Database, companyId: number, after: number) => Promise<Row[]>,
    lineOf: (row: Row) => ExportLine,
    parents?: HistoryTable,
  ) => {
    for (;;) {
      const lines = (await store.read((db) => list(db, companyId, lastIds[kind]))).map(lineOf);
      const known = lines.filter(({ parentId }) => !parents || parentId <= lastIds[parents]);
      const isGone = (line: ExportLine) => line.isDeleted || (parents && goneIds[parents].has(line.parentId));
      const [gone, there] = [known.filter(isGone), known.filter((line) => !isGone(line))];
      for (const { id } of gone) goneIds[kind].add(id);
      await files.history(textOf(there));
      await files.deleted(textOf(gone));
      exported[kind] += there.length;
      exported.deleted += gone.length;
      onProgress(exported);
      lastIds[kind] = lines.at(-1)?.id ?? lastIds[kind];
      if (lines.length < batchSize) return;
    }
  };
  await writeAll('contacts', listAllContacts, contactLine);
  await writeAll('conversations', listOf('conversations'), conversationLine, 'contacts');
  await writeAll('messages', listOf('messages'), messageLine, 'conversations');
  return exported;
}

const listOf =
  <Name extends 'conversations' | 'messages'>(table: Name) =>
  (db: Database, companyId: number, after: number) =>
    listRows(db, table, companyId, { after, limit: batchSize });

const textOf = (lines: readonly ExportLine[]): string =>
  lines.map(({ line }) => `${JSON.stringify(line)}\n`).join('');

/** The tables whose rows are lists in `company.json`. */
export const recordedTables: readonly TablesWith<{ exported: 'in company.json' }>[] =
  ownedTables.filter(isRecorded);

function isRecorded(name: OwnedTable): name is TablesWith<{ exported: 'in company.json' }> {
  return ownedFacts(name).exported === 'in company.json';
}

/** Returns the company with all rows of its small tables, without secrets. */
export function companyRecord(store: Store, companyId: number): Promise<object> {
  return store.readSnapshot(async (db) => {
    const company = await findCompany(db, companyId);
    const record: Record<string, unknown> = {
      id: companyId,
      name: company?.name,
      created_at: formatTimestamp(company?.created_at ?? 0),
    };
    for (const table of recordedTables) {
      const rows: object[] = await listRows(db, table, companyId);
      record[table] = rows.map((row) => {
        const { company_id: _given, ...others } = presentRow(row);
        return others;
      });
    }
    return record;
  });
}

/** A record of an export in the import format, and whether it is deleted. */
interface ExportLine {
  line: object;
  id: number;
  /** The ID of the row that it belongs to; 0 for contacts. */
  parentId: number;
  isDeleted: boolean;
}

const keyOf = (kind: 'contact' | 'conversation' | 'message', id: number): string => `${kind}-${id}`;

const record = (
  kind: Parameters<typeof keyOf>[0],
  { id, deleted_at }: { id: number; deleted_at: number | null },
  shown: object,
  parentId = 0,
): ExportLine => {
  const isDeleted = deleted_at !== null;
  const deletion = isDeleted ? { deleted_at: formatTimestamp(deleted_at) } : {};
  return { line: { kind, key: keyOf(kind, id), ...shown, ...deletion }, id, parentId, isDeleted };
};

/** Returns the export record of a contact, with its custom-field values by field ID. */
function contactLine(contact: ContactWithValues): ExportLine {
  const { id: _id, company_id: _company, fields, ...shown } = presentContact(contact);
  return record('contact', contact.contact, {
    ...shown,
    fields: fields.map((field) => ({ id: field.id, value: field.value })),
  });
}

/** Returns the export record of a conversation, with the key of its contact's record. */
function conversationLine(row: ConversationRow): ExportLine {
  const { id: _id, company_id: _company, caller_id, messages: _apart, ...shown } = presentConversation(row);
  const { deleted_at: _told, ...others } = shown;
  return record('conversation', row, { contact: keyOf('contact', caller_id), ...others }, caller_id);
}

/** Returns the export record of a message, with the key of its conversation's record. */
function messageLine(row: MessageRow): ExportLine {
  const { id: _id, conversation_id, deleted_at: _told, ...shown } = presentMessage(row);
  const conversation = keyOf('conversation', conversation_id);
  return record('message', row, { conversation, ...shown }, conversation_id);
}
