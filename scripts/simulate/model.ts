import { violate } from './violation.ts';

/** A contact that a client has tried to create. Its first name is the marker, which occurs nowhere else. */
export interface ModelContact {
  marker: string;
  company: number;
  /** The ID in the response to its creation. */
  id?: number;
  /** The number of updates that led to each last name. The name of a new contact is empty. */
  depths: Map<string, number>;
  /** The name that an acknowledged update replaced, and its own. */
  replaced: Map<string, string>;
  /** The largest depth that an acknowledged update has reached. */
  acknowledgedDepth: number;
  erasure: 'none' | 'requested' | 'acknowledged';
  erasedAt?: number;
  /** When the last webhook request with its data ended. */
  sentUntil?: number;
  /** Whether a response contained it. */
  isSeen?: true;
  /** Requests to create it without a response. A retry after the erasure creates it again (D34). */
  pending: number;
  /** Whether its only request was rejected. */
  isRejected?: true;
}

/** The body of a webhook request. */
export interface SentEvent {
  type: string;
  timestamp: string;
  data: { id: number };
}

export type Model = ReturnType<typeof createModel>;

/** Creates the knowledge of a simulation: what responses have promised. */
export function createModel() {
  const contacts = new Map<string, ModelContact>();
  /** Texts that clients have tried to write, and occur nowhere else. */
  const writes: { token: string; text: string }[] = [];
  /** Texts that must never be stored, because their tokens were revoked before. */
  const forbidden: string[] = [];
  const revokedTokens = new Map<string, number>();

  return {
    contacts,
    forbidden,
    writes,
    /** When disabling a webhook was acknowledged; undefined while it is enabled. */
    disabledAt: new Map<number, number>(),
    /** Tokens whose revocation was acknowledged, by text, with the time. */
    revokedTokens,
    /** Records the attempt to create a contact. */
    attemptContact(marker: string, company: number): ModelContact {
      const known = contacts.get(marker);
      if (known) return known;
      const contact: ModelContact = {
        ...{ marker, company, acknowledgedDepth: 0, erasure: 'none', pending: 0 },
        depths: new Map([['', 0]]),
        replaced: new Map(),
      };
      contacts.set(marker, contact);
      return contact;
    },
    /** Returns the contacts whose markers a text contains. */
    contactsIn: (text: string): ModelContact[] =>
      (text.match(/client\d+-\d+-contact/g) ?? []).flatMap((marker) => contacts.get(marker) ?? []),
    acknowledgeContact(contact: ModelContact, id: number): void {
      if (contact.id !== undefined && contact.id !== id)
        violate(
          'an idempotency key has one effect',
          `The responses to requests with the key of ${contact.marker} contain the IDs ${contact.id} and ${id}.`,
        );
      contact.id = id;
    },
    /** Records the attempt to replace a name that was read together with the entity tag of the request. */
    attemptUpdate(contact: ModelContact, read: string, name: string): void {
      contact.depths.set(name, (contact.depths.get(read) ?? 0) + 1);
    },
    acknowledgeUpdate(contact: ModelContact, read: string, name: string): void {
      const other = contact.replaced.get(read);
      if (other !== undefined)
        violate(
          'entity tags prevent lost updates',
          `Two updates of ${contact.marker} with the same entity tag, of its last name "${read}", returned 200: to "${other}" and to "${name}".`,
        );
      contact.replaced.set(read, name);
      contact.acknowledgedDepth = Math.max(contact.acknowledgedDepth, contact.depths.get(name) ?? 0);
    },
    /** Checks a name that a request has read. @param expected the acknowledged depth when the request began */
    checkRead(contact: ModelContact, name: string, expected: number): void {
      const depth = contact.depths.get(name);
      if (depth === undefined)
        violate(
          'reads return what was written',
          `${contact.marker} has the last name "${name}", which no client wrote.`,
        );
      else if (depth < expected)
        violate(
          'acknowledged writes exist',
          `${contact.marker} has the last name "${name}", although an update to a later one was acknowledged before the read began.`,
        );
    },
    /** Returns the contacts of a company whose creation was acknowledged. */
    known: (company: number): ModelContact[] =>
      [...contacts.values()].filter(
        (each) => each.company === company && each.id !== undefined && each.erasure === 'none',
      ),
  };
}
