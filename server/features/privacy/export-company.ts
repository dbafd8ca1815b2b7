import { formatTimestamp, formatTimestampOrNull } from '../../own-contract/timestamp.ts';
import { findCompany } from '../../storage/queries/companies.ts';
import {
  listAllContacts,
  listAllConversations,
  listAllMessages,
} from '../../storage/queries/company-data.ts';
import { batchSize } from '../../storage/queries/erasure.ts';
import { listFields } from '../../storage/queries/fields.ts';
import { listTokens } from '../../storage/queries/tokens.ts';
import { listWebhooks } from '../../storage/queries/webhooks.ts';
import type { TablesWith } from '../../storage/schema.ts';
import type { Database, Store } from '../../storage/store.ts';
import { presentField } from '../fields/present.ts';
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
    listAllConversations,
    ({ id }) => id,
    conversationLine,
    (row) => ({ kind: 'contacts', id: row.caller_id }),
  );
  await writeAll(
    'messages',
    listAllMessages,
    ({ id }) => id,
    messageLine,
    (row) => ({ kind: 'conversations', id: row.conversation_id }),
  );
  return exported;
}

const textOf = (lines: readonly ExportLine[]): string =>
  lines.map(({ line }) => `${JSON.stringify(line)}\n`).join('');

const exportFields = async (db: Database, companyId: number): Promise<object[]> =>
  (await listFields(db, companyId)).map((field) => presentField(field, null));

const exportWebhooks = async (db: Database, companyId: number): Promise<object[]> =>
  (await listWebhooks(db, companyId)).map(
    ({ id, verb_id, entity_id, action_id, url, automation_id, ...row }) => ({
      ...{ id, verb_id, entity_id, action_id, url, automation_id },
      created_at: formatTimestamp(row.created_at),
      disabled_at: formatTimestampOrNull(row.disabled_at),
      created_by_token: row.created_by_token,
      updated_by_token: row.updated_by_token,
    }),
  );

const exportTokens = async (db: Database, companyId: number): Promise<object[]> =>
  (await listTokens(db, companyId)).map(({ id, user_id, name, scopes, ...row }) => ({
    ...{ id, user_id, name, scopes: scopes.split(' ') },
    created_at: formatTimestamp(row.created_at),
    expires_at: formatTimestamp(row.expires_at),
    revoked_at: formatTimestampOrNull(row.revoked_at),
    last_used_at: formatTimestampOrNull(row.last_used_at),
  }));

/** The lists in `company.json`. */
const recordLists: Record<
  TablesWith<{ exported: 'in company.json' }>,
  (db: Database, companyId: number) => Promise<object[]>
> = { fields: exportFields, webhooks: exportWebhooks, tokens: exportTokens };

/** Returns the company with its fields, webhooks, tokens and other small tables, without secrets. */
export function companyRecord(store: Store, companyId: number): Promise<object> {
  return store.readSnapshot(async (db) => {
    const company = await findCompany(db, companyId);
    const record: Record<string, unknown> = {
      id: companyId,
      name: company?.name,
      created_at: formatTimestamp(company?.created_at ?? 0),
    };
    for (const [table, list] of Object.entries(recordLists)) record[table] = await list(db, companyId);
    return record;
  });
}
