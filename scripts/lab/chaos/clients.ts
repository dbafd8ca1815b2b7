import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type AcknowledgedWrites, changeKey } from './acknowledged-writes.ts';

interface ClientResponse {
  status: number;
  body: { id: number; last_name: string | null };
}

const nothing: ClientResponse['body'] = { id: 0, last_name: null };

// Pause before a client retries a failed request at the next process.
const pauseMs = 100;

// The timeout of a typical proxy.
const timeoutMs = 30_000;

/**
 * Starts clients that create, rename and read contacts, sending requests to each process in turn. They retry failed
 * requests. A retried create keeps its idempotency key.
 * @returns a function that stops the clients after their current requests
 */
export function startClients(
  { bases, token, writes }: { bases: () => readonly string[]; token: string; writes: AcknowledgedWrites },
  count: number,
): () => Promise<void> {
  let turn = 0;
  let over = false;

  async function ask(method: string, path: string, body?: object, headers?: object): Promise<ClientResponse> {
    const all = bases();
    turn += 1;
    const base = all[turn % all.length] ?? '';
    const from = performance.now();
    const note = (status: number) => writes.outcomes.push({ from, to: performance.now(), status });
    try {
      const response = await fetch(`${base}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      note(response.status);
      return { status: response.status, body: response.ok ? JSON.parse(text) : nothing };
    } catch {
      note(0);
      return { status: 0, body: nothing };
    }
  }

  /** Repeats a request until it succeeds. @returns the body; undefined if the clients are stopped first */
  async function insist(attempt: () => Promise<ClientResponse>): Promise<ClientResponse['body'] | undefined> {
    for (;;) {
      const { status, body } = await attempt();
      if (status >= 200 && status < 300) return body;
      if (over) return undefined;
      await wait(pauseMs);
    }
  }

  async function caller(): Promise<void> {
    while (!over) {
      const key = randomUUID();
      const first = `${key} 0`;
      const create = { first_name: 'Ada', last_name: first };
      const made = await insist(() => ask('POST', '/contacts', create, { 'idempotency-key': key }));
      if (!made) return;
      const name = { acknowledgedName: first, possibleNames: new Set<string>() };
      writes.created.set(key, made.id);
      writes.names.set(made.id, name);
      writes.acknowledged.add(changeKey(made.id, first));

      const second = `${key} 1`;
      name.possibleNames.add(second);
      const renamed = await insist(() => ask('PUT', `/contacts/${made.id}`, contactNamed(second)));
      if (!renamed) return;
      name.acknowledgedName = second;
      writes.acknowledged.add(changeKey(made.id, second));

      const seen = await insist(() => ask('GET', `/contacts/${made.id}`));
      if (seen && seen.last_name !== second) writes.stale += 1;
    }
  }

  const callers = Array.from({ length: count }, caller);
  return async () => {
    over = true;
    await Promise.all(callers);
  };
}

const contactNamed = (last_name: string) => ({
  first_name: 'Ada',
  last_name,
  email_address: null,
  telephone_number: null,
  avatar: null,
  status: 'online',
  from_integration: false,
  integration: null,
  from_whatsapp: false,
  from_email: false,
  fields: [],
});
