import { canSucceedLater, ParleyError } from 'parley-client';
import { parley } from './api.ts';
import { describe } from './describe.ts';

export interface Waiting {
  key: string;
  conversation: number;
  text: string;
  /** The ID of the newest loaded message when this one was written. 0 if the conversation was empty. */
  after: number;
  /** The ID of the message, when the service has stored it. */
  sent?: number;
  /** Why it is not sent. The user must discard it. */
  rejected?: string;
}

const listeners = new Set<() => void>();
// To survive a reload of the page, read them from localStorage here, and write them in `update`. Then discard those that
// are older than 72 hours: the service has forgotten their keys.
let waiting: readonly Waiting[] = [];
let sending: Promise<boolean> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Calls the listener after each change. Returns a function that removes it. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const waitingMessages = (): readonly Waiting[] => waiting;

export function write(message: Pick<Waiting, 'conversation' | 'text' | 'after'>): void {
  update([...waiting, { ...message, key: crypto.randomUUID() }]);
  void keepSending();
}

export const discard = (key: string): void => update(waiting.filter((each) => each.key !== key));

/** Sends the messages in order, and tries again every 30 seconds until all are sent or rejected. */
export async function keepSending(): Promise<void> {
  clearTimeout(timer);
  // Calls at the same time share one run, so that no message is sent by two runs.
  sending ??= sendAll().finally(() => {
    sending = undefined;
  });
  if (await sending) return;
  clearTimeout(timer);
  timer = setTimeout(keepSending, 30_000);
}

/** Returns whether all messages are sent or rejected. */
async function sendAll(): Promise<boolean> {
  for (;;) {
    const next = waiting.find(({ sent, rejected }) => sent === undefined && rejected === undefined);
    if (!next) return true;
    try {
      const { id } = await parley.throwing.POST('/api/v1/messages', {
        params: { header: { 'Idempotency-Key': next.key } },
        body: { conversation_id: next.conversation, type: 'text', payload: next.text },
      });
      replace({ ...next, sent: id });
    } catch (error) {
      // Wait until the service is available, the user has signed in again, or your server has a valid token.
      if (canSucceedLater(error) || (error instanceof ParleyError && error.status === 401)) return false;
      // The others wait no longer for a message that can never be sent.
      replace({ ...next, rejected: describe(error) });
    }
  }
}

const replace = (changed: Waiting): void =>
  update(waiting.map((each) => (each.key === changed.key ? changed : each)));

function update(next: readonly Waiting[]): void {
  waiting = next;
  for (const listener of listeners) listener();
}
