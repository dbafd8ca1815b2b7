import { presentRow } from '../../own-contract/present-row.ts';
import { formatTimestamp } from '../../own-contract/timestamp.ts';
import { findCompany } from '../../storage/queries/companies.ts';
import { listAllContacts } from '../../storage/queries/company-data.ts';
import { batchSize } from '../../storage/queries/erasure.ts';
import { listRows } from '../../storage/queries/rows.ts';
import { type OwnedTable, ownedFacts, ownedTables, type TablesWith } from '../../storage/schema.ts';
import type { Database, Store } from '../../storage/store.ts';
import { contactLine, conversationLine, type ExportLine, messageLine } from './export-records.ts';

/** The destinations of an export. */
export interface ExportSinks {
  /** Receives data that is not deleted, in the import format. */
  history: (text: string) => Promise<void>;
  /** Receives deleted data that is still stored. */
  deleted: (text: string) => Promise<void>;
}

export interface Exported {
  contacts: number;
  conversations: number;
  messages: number;
  deleted: number;
}

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
  const lastIds = { contacts: 0, conversations: 0, messages: 0 };
  const writeAll = async <Row>(
    kind: 'contacts' | 'conversations' | 'messages',
    list: (db: Database, companyId: number, after: number) => Promise<Row[]>,
    idOf: (row: Row) => number,
    lineOf: (row: Row) => ExportLine,
    parentOf?: (row: Row) => { kind: 'contacts' | 'conversations'; id: number },
  ) => {
    for (let after = 0; ; ) {
      const rows = await store.read((db) => list(db, companyId, after));
      const gone: ExportLine[] = [];
      const there: ExportLine[] = [];
      for (const row of rows) {
        const parent = parentOf?.(row);
        if (parent && parent.id > lastIds[parent.kind]) continue;
        const line = lineOf(row);
        const isGone = line.isDeleted || (parent && goneIds[parent.kind].has(parent.id));
        (isGone ? gone : there).push(line);
        if (isGone) goneIds[kind].add(idOf(row));
      }
      await files.history(textOf(there));
      await files.deleted(textOf(gone));
      exported[kind] += there.length;
      exported.deleted += gone.length;
      onProgress(exported);
      const last = rows.at(-1);
      if (last !== undefined) lastIds[kind] = idOf(last);
      if (last === undefined || rows.length < batchSize) return;
      after = idOf(last);
    }
  };
  await writeAll('contacts', listAllContacts, ({ contact }) => contact.id, contactLine);
  await writeAll(
    'conversations',
    listOf('conversations'),
    ({ id }) => id,
    conversationLine,
    (row) => ({ kind: 'contacts', id: row.caller_id }),
  );
  await writeAll(
    'messages',
    listOf('messages'),
    ({ id }) => id,
    messageLine,
    (row) => ({ kind: 'conversations', id: row.conversation_id }),
  );
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
