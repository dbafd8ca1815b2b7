import { validationError } from '../../errors.ts';
import { lockCompany, lockFieldDefinitionsExclusive } from '../../storage/locks.ts';
import { insertAll, insertMany } from '../../storage/queries/bulk.ts';
import { listFields } from '../../storage/queries/fields.ts';
import { selectRows, updateRows } from '../../storage/queries/rows.ts';
import type { Database } from '../../storage/store.ts';
import { type AcceptedValue, acceptValues } from '../fields/values.ts';
import type { ImportError, ImportRecord, RecordOf, RecordType } from './record.ts';
import { contactRow, conversationRow, messageRow } from './rows.ts';

export interface NumberedRecord {
  number: number;
  entry: ImportRecord;
}

/** The result of storing a batch. */
export interface StoredBatch {
  made: Record<RecordType, number>;
  /** The number of lines whose keys were imported before, or are repeated in the batch. */
  alreadyThere: number;
  bad: (ImportError & { number: number })[];
}

/**
 * Stores a batch with its keys: contacts, then conversations, then messages. A line may refer to stored records and to earlier
 * lines. No events are published (D42).
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
  const entries = lines.map(({ entry }) => entry);
  const { ids, isLive } = await findStoredRecords(db, companyId, entries);
  const batch: StoredBatch = { made: { contact: 0, conversation: 0, message: 0 }, alreadyThere: 0, bad: [] };
  /** The lines that are stored, by name. */
  const numbers = new Map<string, number>();

  /** Checks the lines of a kind in order. @param check returns what the row needs, or why the line is invalid */
  function accept<Kind extends RecordType, Needed extends object>(
    kind: Kind,
    check: (entry: RecordOf<Kind>, number: number) => Needed | ImportError,
  ): { entry: RecordOf<Kind>; needed: Needed }[] {
    const accepted: { entry: RecordOf<Kind>; needed: Needed }[] = [];
    for (const { number, entry } of lines) {
      if (!isOf(kind, entry)) continue;
      const name = nameOf(kind, entry.key);
      if (ids.has(name) || numbers.has(name)) batch.alreadyThere += 1;
      else {
        const needed = check(entry, number);
        if ('message' in needed) batch.bad.push({ number, ...needed });
        else {
          numbers.set(name, number);
          accepted.push({ entry, needed });
        }
      }
    }
    batch.made[kind] = accepted.length;
    return accepted;
  }

  /** Returns the contact of a conversation, or the conversation of a message. */
  function findOwner(
    entry: RecordOf<'conversation' | 'message'>,
    number: number,
  ): { id: number } | ImportError {
    const { kind, key, id, property } = ownerOf(entry);
    if ((key === undefined) === (id === undefined))
      return {
        message: `Name the ${kind} by /${kind} (its key) or /${property} (its ID).`,
        fields: `/${kind}`,
      };
    const name = nameOf(kind, key ?? '');
    const owner = key === undefined ? id : ids.get(name);
    const line = numbers.get(name);
    const isKnown = line === undefined ? owner !== undefined && isLive(kind, owner) : line < number;
    if (owner !== undefined && isKnown) return { id: owner };
    const location = key === undefined ? `/${property}` : `/${kind}`;
    return {
      message: `${location} is not a ${kind} of this company or of an earlier line.`,
      fields: location,
    };
  }

  const checkContact = await createContactCheck(db, companyId, entries);
  const contacts = accept('contact', checkContact);
  const contactRows = contacts.map(({ entry, needed }) => contactRow(entry, needed, companyId, now));
  const contactIds = await insertMany(db, 'contacts', contactRows);
  const values = contacts.flatMap(({ needed }, at) =>
    needed.map(({ fieldId: field_id, value, uniqueDigest: unique_digest }) => ({
      ...{ company_id: companyId, contact_id: contactIds[at] ?? 0, field_id, value, unique_digest },
    })),
  );
  await insertAll(db, 'field_values', values);
  await keepKeys(contacts, contactIds);

  const conversations = accept('conversation', findOwner);
  const threads = conversations.map(({ entry, needed }) => conversationRow(entry, companyId, needed.id, now));
  await keepKeys(conversations, await insertMany(db, 'conversations', threads));

  const messages = accept('message', (entry, number) =>
    entry.new !== undefined && entry.new === (entry.read ?? false)
      ? { message: '/new must be the opposite of /read.', fields: '/new' }
      : findOwner(entry, number),
  );
  const messageRows = messages.map(({ entry, needed }) => messageRow(entry, companyId, needed.id, now));
  await keepKeys(messages, await insertMany(db, 'messages', messageRows));
  // The company has written in these conversations (D38).
  const answered = messages.flatMap(({ entry, needed }) => (entry.user_id == null ? [] : [needed.id]));
  const stillNew = { company_id: companyId, id: [...new Set(answered)], new: 1 } as const;
  await updateRows(db, 'conversations', stillNew, { new: 0 });
  return batch;

  /** Stores the keys of rows, so that later lines can refer to them. */
  async function keepKeys(
    stored: readonly { entry: ImportRecord }[],
    newIds: readonly number[],
  ): Promise<void> {
    const rows = stored.map(({ entry: { kind, key } }, at) => {
      const id = newIds[at];
      if (id === undefined) throw new Error('The database returned fewer IDs than rows.');
      ids.set(nameOf(kind, key), id);
      return { company_id: companyId, kind, key, id };
    });
    await insertAll(db, 'import_keys', rows);
  }
}

const isOf = <Kind extends RecordType>(kind: Kind, entry: ImportRecord): entry is RecordOf<Kind> =>
  entry.kind === kind;

/** Returns a key that identifies a unique value. */
const claimOf = (fieldId: number, digest: Uint8Array): string =>
  `${fieldId} ${Buffer.from(digest).toString('base64')}`;

/** Creates a function that checks the custom-field values of a contact, which returns them. */
async function createContactCheck(db: Database, companyId: number, entries: readonly ImportRecord[]) {
  const definitions = await listFields(db, companyId);
  const valuesOf = ({ fields = [] }: RecordOf<'contact'>) => acceptValues(definitions, fields);
  const all = entries.flatMap((entry) => (isOf('contact', entry) ? valuesOf(entry).accepted : []));
  /** The unique values that contacts have, those of earlier lines included. */
  const taken = new Set<string>();
  for (const [field_id, values] of Map.groupBy(all, ({ fieldId }) => fieldId)) {
    const unique_digest = values.flatMap(({ uniqueDigest }) => uniqueDigest ?? []);
    const claim = { company_id: companyId, field_id, unique_digest };
    for (const row of await selectRows(db, 'field_values', ['unique_digest'], claim))
      if (row.unique_digest) taken.add(claimOf(field_id, row.unique_digest));
  }
  return (entry: RecordOf<'contact'>): AcceptedValue[] | ImportError => {
    const { accepted, problems } = valuesOf(entry);
    const claims = accepted.flatMap(({ fieldId, uniqueDigest, index }) =>
      uniqueDigest ? [{ index, claim: claimOf(fieldId, uniqueDigest) }] : [],
    );
    const duplicate = claims.find(({ claim }) => taken.has(claim));
    if (duplicate)
      problems.push({
        field: `/fields/${duplicate.index}/value`,
        message: 'is unique, and another contact has it',
      });
    if (problems.length > 0) {
      const { message, fields } = validationError(problems);
      return { message, fields };
    }
    for (const { claim } of claims) taken.add(claim);
    return accepted;
  };
}

/** A name for a record of a company's imports. */
const nameOf = (kind: string, key: string): string => `${kind} ${key}`;

/** The contact of a conversation, or the conversation of a message, as a line names it. */
interface OwnerReference {
  kind: keyof typeof tables;
  key: string | undefined;
  id: number | undefined;
  /** The property with the ID. */
  property: string;
}

/** Returns how a line names its owner. */
const ownerOf = (entry: RecordOf<'conversation' | 'message'>): OwnerReference =>
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
async function findStoredRecords(db: Database, companyId: number, entries: readonly ImportRecord[]) {
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
