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
    kind: keyof typeof lastIds,
    list: (db: Database, companyId: number, after: number) => Promise<Row[]>,
    lineOf: (row: Row) => ExportLine,
    parents?: keyof typeof lastIds,
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
