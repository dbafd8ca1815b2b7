import { ApiError } from '../../contract/errors.ts';
import { publish } from '../../delivery/publish.ts';
import { validationError } from '../../errors.ts';
import { settleAll } from '../../lib/settle-all.ts';
import type { ContactProperties } from '../../own-contract/contact-properties.ts';
import { lockCompany } from '../../storage/locks.ts';
import { listFields } from '../../storage/queries/fields.ts';
import { insertRow } from '../../storage/queries/rows.ts';
import type { Transaction, WriteGroup } from '../../storage/store.ts';
import { type AcceptedValue, acceptValues } from '../fields/values.ts';
import { writtenColumns } from './columns.ts';
import { loadPresentedContact } from './present.ts';
import { storeValues } from './values.ts';

/**
 * Creates a contact with its values. The caller holds the company's lock (see `contactGroup`).
 * @param clock returns milliseconds since 1970
 * @param record records the creation; it runs together with the other statements, so it costs no round trip
 * @returns its ID
 * @throws ApiError if a value is invalid or already used
 */
export async function addContact(
  db: Transaction,
  companyId: number,
  contact: ContactProperties,
  clock: () => number,
  record: (id: number, now: number) => Promise<void> = async () => {},
): Promise<number> {
  const { accepted, problems } = acceptValues(await listFields(db, companyId), contact.fields);
  // The clock is read after a statement, because other transactions may have written while this one waited for the lock.
  const now = clock();
  if (problems.length > 0) throw new ApiError(validationError(problems));
  const id = await insertRow(db, 'contacts', newContactRow(contact, accepted, companyId, now));
  const storeAndPublish = async () => {
    await storeValues(db, companyId, id, accepted);
    await publish(db, {
      companyId,
      type: 'contact.created',
      data: () => loadPresentedContact(db, companyId, id),
      now,
    });
  };
  await settleAll(storeAndPublish(), record(id, now));
  return id;
}

/** New contacts of a company share transactions. */
export const contactGroup = (companyId: number): WriteGroup => ({
  name: 'contacts',
  lock: (db) => lockCompany(db, companyId),
});

export const newContactRow = (
  contact: ContactProperties,
  values: readonly AcceptedValue[],
  companyId: number,
  now: number,
) =>
  ({
    ...writtenColumns(contact, values),
    company_id: companyId,
    avatar: null,
    status: 'offline',
    created_at: now,
    updated_at: now,
    deleted_at: null,
  }) as const;
