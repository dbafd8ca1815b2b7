import { setTimeout as wait } from 'node:timers/promises';
import { findContactForUpdate } from '../../storage/queries/contacts.ts';
import { deleteRows, is, selectRows, updateRow } from '../../storage/queries/rows.ts';
import type { Store } from '../../storage/store.ts';
import { contactSearchText } from './columns.ts';

// Contacts per batch. A batch takes about 10 ms, so it hardly delays other work.
const atOnce = 50;
// Pause between batches, in milliseconds. Other processes poll for SQLite's write lock, and would never get it without
// a pause.
const gapMs = 10;

/**
 * Removes the values of deleted fields from contacts and their search texts, in batches. The next run continues an
 * interrupted one. The API has hidden the values since the field was deleted.
 */
export async function purgeDeletedFieldValues(store: Store): Promise<number> {
  let swept = 0;
  const fields = await store.read((db) =>
    selectRows(db, 'fields', ['company_id', 'id'], { deleted_at: is.notNull }),
  );
  for (const { company_id: companyId, id: fieldId } of fields)
    swept += await inParts(() =>
      store.write(async (db) => {
        const ofField = { company_id: companyId, field_id: fieldId };
        // A fixed order prevents deadlocks.
        const page = { orderBy: 'contact_id', limit: atOnce } as const;
        const values = await selectRows(db, 'field_values', ['contact_id'], ofField, page);
        for (const { contact_id } of values) {
          // Its values are those of the fields that are not deleted.
          const found = await findContactForUpdate(db, companyId, contact_id);
          await deleteRows(db, 'field_values', { ...ofField, contact_id });
          if (!found) continue;
          const search_text = contactSearchText(found.contact, found.values);
          await updateRow(db, 'contacts', found.contact, { search_text });
        }
        return values.length;
      }),
    );
  return swept;
}

/** Runs batches until one is not full. */
async function inParts(part: () => Promise<number>): Promise<number> {
  let all = 0;
  for (;;) {
    const done = await part();
    all += done;
    if (done < atOnce) return all;
    await wait(gapMs);
  }
}
