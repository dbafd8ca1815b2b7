import { ParleyError } from './errors.ts';
import type { Contact, ContactUpdate } from './types.ts';

/** Maximum number of retries if the contact is changed concurrently. */
const maxRetries = 3;

interface Access {
  read: () => Promise<{ data: unknown; response: Response }>;
  write: (body: ContactUpdate, ifMatch: string) => Promise<unknown>;
}

/** What another client changed while a change was made. */
export interface Conflict {
  /** The contact before the changes of both clients: as it was read, or as the user saw it. */
  before: Contact;
  /** The contact with the changes of the other client. */
  current: Contact;
  /** The update that was rejected; undefined if the contact had changed since the user saw it. */
  rejected: ContactUpdate | undefined;
}

export type ChangeContact = (
  contact: Contact,
  conflict: Conflict | undefined,
) => ContactUpdate | undefined | Promise<ContactUpdate | undefined>;

/**
 * Reads, changes and writes a contact with `If-Match`. Starts again if the contact was changed concurrently.
 * @param shown the contact as the user saw it; if its `updated_at` has changed since, the first call of `changed` gets a
 * conflict
 * @returns whether the contact was written
 */
export async function readModifyWrite(
  { read, write }: Access,
  changed: ChangeContact,
  shown?: Contact,
): Promise<boolean> {
  let last: { before: Contact; rejected: ContactUpdate } | undefined;
  for (let made = 1; ; made++) {
    const { data, response } = await read();
    const etag = response.headers.get('ETag');
    // Compressing proxies turn the entity tag into a weak one, and `If-Match` does not accept weak tags.
    if (!etag || etag.startsWith('W/'))
      throw new Error('The contact has no strong ETag. A proxy may have removed it.');
    // The cast is safe: `read` gets a contact.
    const contact = data as Contact;
    const isStale = shown !== undefined && !last && shown.updated_at !== contact.updated_at;
    const earlier = isStale ? { before: shown, rejected: undefined } : last;
    const body = await changed(contact, earlier && { ...earlier, current: contact });
    if (body === undefined) return false;
    try {
      await write(body, etag);
      return true;
    } catch (error) {
      const lost = error instanceof ParleyError && error.status === 412;
      if (!lost || made > maxRetries) throw error;
      last = { before: contact, rejected: body };
    }
  }
}
