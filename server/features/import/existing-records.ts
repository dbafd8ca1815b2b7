import { selectRows } from '../../storage/queries/rows.ts';
import type { Database } from '../../storage/store.ts';
import type { ImportRecord, RecordOf } from './record.ts';

/** A name for a record of a company's imports. */
export const nameOf = (kind: string, key: string): string => `${kind} ${key}`;

/** The contact of a conversation, or the conversation of a message, as a line names it. */
interface OwnerReference {
  kind: keyof typeof tables;
  key: string | undefined;
  id: number | undefined;
  /** The property with the ID. */
  property: string;
}

/** Returns how a line names its owner. */
export const ownerOf = (entry: RecordOf<'conversation' | 'message'>): OwnerReference =>
  entry.kind === 'conversation'
    ? { kind: 'contact', key: entry.contact, id: entry.caller_id, property: 'caller_id' }
    : {
        kind: 'conversation',
        key: entry.conversation,
        id: entry.conversation_id,
        property: 'conversation_id',
      };

const tables = { contact: 'contacts', conversation: 'conversations' } as const;

/** Finds the stored records that the lines of a batch refer to or repeat. @returns their IDs by name */
export async function findStoredRecords(db: Database, companyId: number, entries: readonly ImportRecord[]) {
  const owners = entries.flatMap((entry) => (entry.kind === 'contact' ? [] : ownerOf(entry)));
  const keys = new Set([...entries, ...owners].flatMap(({ key }) => key ?? []));
  const kind = ['contact', 'conversation', 'message'] as const;
  const known = { company_id: companyId, kind, key: [...keys] };
  const rows = await selectRows(db, 'import_keys', ['kind', 'key', 'id'], known);
  const liveOf = async (of: keyof typeof tables) => {
    const id = [...owners, ...rows].flatMap((each) => (each.kind === of ? (each.id ?? []) : []));
    const selection = { company_id: companyId, id: [...new Set(id)], deleted_at: null };
    return new Set((await selectRows(db, tables[of], ['id'], selection)).map((row) => row.id));
  };
  const live = { contact: await liveOf('contact'), conversation: await liveOf('conversation') };
  return {
    ids: new Map(rows.map((row) => [nameOf(row.kind, row.key), row.id])),
    isLive: (of: keyof typeof tables, id: number): boolean => live[of].has(id),
  };
}
