import { contactDefaults } from '../../server/own-contract/contact-properties.ts';
import type { Prng } from '../lib/prng.ts';
import type { SimulatedCompany } from './create-company.ts';
import type { Model, ModelContact } from './model.ts';
import type { ClientPlan, Operation } from './plan.ts';
import type { ApiReply, ApiRequest } from './service-process.ts';
import { inSeconds, violate } from './violation.ts';

/** The surroundings of a client, simulated or real. */
export interface ClientWorld {
  model: Model;
  companies: readonly SimulatedCompany[];
  random: Prng;
  /** Milliseconds since any start. */
  time: () => number;
  pause: (ms: number) => Promise<void>;
  /** Sends a request to one of the processes. @returns undefined if the client gets no response */
  call: (request: ApiRequest) => Promise<ApiReply | undefined>;
  /** Adds a line to the history. */
  note: (text: string) => void;
}

/**
 * Starts a client, which calls the API as its plan says.
 * @param number the number of the client, which no other one has
 * @returns resolves when it has finished
 */
export async function runClient(
  world: ClientWorld,
  plan: Omit<ClientPlan, 'operations'> & { operations: Iterable<Operation> },
  number: number,
): Promise<void> {
  const { model, companies, random, pause, note } = world;
  const company = companies[plan.company];
  const { token = '' } = company?.tokens[plan.token] ?? {};
  if (!company) return;

  /** Sends a request, with retries if they are allowed. @returns undefined if the outcome is unknown */
  async function call(
    request: Omit<ApiRequest, 'token'>,
    tries: number,
    onLost = () => {},
  ): Promise<ApiReply | undefined> {
    for (let left = tries; ; left -= 1) {
      const startedAt = world.time();
      const what = `${request.method} ${request.url}${contentOf(request)}`;
      const reply = await world.call({ ...request, token });
      const ms = (world.time() - startedAt).toFixed(1);
      note(`${what} → ${reply ? `${reply.status} ${shortened(reply.text)}` : 'no response'}, after ${ms} ms`);
      if (reply) checkReply(reply, request, startedAt);
      if (!reply) onLost();
      const mayRetry = reply === undefined || reply.status === 503 || isInProgress(reply);
      if (!mayRetry || left <= 1) return reply?.status === 503 ? undefined : reply;
      await pause(500 + random.next() * 500);
    }
  }

  function checkReply(reply: ApiReply, { method, url }: Omit<ApiRequest, 'token'>, startedAt: number): void {
    if (reply.status === 500) violate('no request fails with 500', `${method} ${url}: ${reply.text}`);
    const revokedAt = model.revokedTokens.get(token);
    const isRefused = reply.status === 401 || reply.status === 503;
    if (revokedAt !== undefined && startedAt > revokedAt && !isRefused)
      violate(
        'a revoked token has no effect',
        `${method} ${url} began at ${inSeconds(startedAt)}, after the revocation of its token was acknowledged at ${inSeconds(revokedAt)}, and returned ${reply.status} instead of 401.`,
      );
    for (const contact of model.contactsIn(reply.text)) {
      if (contact.company !== plan.company)
        violate(
          'no company sees data of another',
          `${method} ${url} of company ${plan.company} returned ${contact.marker} of company ${contact.company}.`,
        );
      if (contact.erasure === 'acknowledged' && startedAt > (contact.erasedAt ?? 0))
        violate(
          'nothing of an erased contact leaves',
          `${method} ${url} began at ${inSeconds(startedAt)}, after the erasure of ${contact.marker} was acknowledged at ${inSeconds(contact.erasedAt)}, and returned it.`,
        );
      contact.isSeen = true;
    }
  }

  const fieldsOf = (value: number | undefined) =>
    value === undefined ? [] : [{ id: company.field, value: `value ${value}` }];

  async function create(operation: Operation & { kind: 'create' }, marker: string): Promise<void> {
    const contact = model.attemptContact(marker, plan.company);
    model.writes.push({ token, text: marker });
    const headers = operation.isKeyed ? { 'idempotency-key': `key of ${marker}` } : {};
    const body = { first_name: marker, fields: fieldsOf(operation.value) };
    const copies = operation.isKeyed ? operation.copies : 1;
    const created = Array.from({ length: copies }, async () => {
      contact.pending += 1;
      const request = { method: 'POST', url: '/api/v1/contacts', headers, body };
      const reply = await call(request, operation.isKeyed ? 4 : 1, () => {
        contact.pending += 1;
      });
      if (reply) contact.pending -= 1;
      if (reply?.status === 201) {
        const { id }: { id: number } = JSON.parse(reply.text);
        model.acknowledgeContact(contact, id);
      } else if (!operation.isKeyed && reply) contact.isRejected = true;
    });
    await Promise.all(created);
  }

  async function read(contact: ModelContact) {
    const expected = contact.acknowledgedDepth;
    const reply = await call({ method: 'GET', url: `/api/v1/contacts/${contact.id}` }, 2);
    if (!reply) return undefined;
    if (reply.status === 404 && contact.erasure === 'none')
      violate(
        'acknowledged writes exist',
        `GET /api/v1/contacts/${contact.id} returned 404 for ${contact.marker}, whose creation was acknowledged.`,
      );
    if (reply.status !== 200) return undefined;
    const { first_name, last_name }: { first_name: string; last_name: string | null } = JSON.parse(
      reply.text,
    );
    if (first_name !== contact.marker)
      violate(
        'reads return what was written',
        `GET /api/v1/contacts/${contact.id} returned ${first_name} instead of ${contact.marker}.`,
      );
    model.checkRead(contact, last_name ?? '', expected);
    return { name: last_name ?? '', etag: String(reply.headers.ETag) };
  }

  async function update(operation: Operation & { kind: 'update' }, name: string): Promise<void> {
    const contact = pickFrom(model.known(plan.company), operation.pick);
    const seen = contact && (await read(contact));
    if (!contact || !seen) return;
    if (random.next() < 0.5) await pause(random.next() * 20);
    model.attemptUpdate(contact, seen.name, name);
    model.writes.push({ token, text: name });
    const request = {
      method: 'PUT',
      url: `/api/v1/contacts/${contact.id}`,
      headers: { 'if-match': seen.etag },
      body: {
        ...contactDefaults,
        ...{ avatar: null, status: 'online' },
        first_name: contact.marker,
        last_name: name,
        fields: fieldsOf(operation.value),
      },
    };
    const reply = await call(request, 1);
    if (reply?.status === 200) model.acknowledgeUpdate(contact, seen.name, name);
  }

  async function readOne(operation: Operation & { kind: 'read' }): Promise<void> {
    const owner = (plan.company + (operation.isForeign ? 1 : 0)) % companies.length;
    const contact = pickFrom(model.known(owner), operation.pick);
    if (!contact) return;
    if (!operation.isForeign) return void (await read(contact));
    const reply = await call({ method: 'GET', url: `/api/v1/contacts/${contact.id}` }, 1);
    if (reply?.status === 200)
      violate(
        'no company sees data of another',
        `GET /api/v1/contacts/${contact.id} returned 200 instead of 404 for ${contact.marker} of company ${contact.company}.`,
      );
  }

  /** Pages through all contacts. */
  async function walk({ order, perPage }: Operation & { kind: 'walk' }): Promise<void> {
    const before = model.known(plan.company).map(({ marker }) => marker);
    const seen = new Set<string>();
    let url = `/api/v1/contacts?order=${order}&per_page=${perPage}`;
    for (;;) {
      const reply = await call({ method: 'GET', url }, 3);
      if (reply?.status !== 200) return;
      const rows: { first_name: string }[] = JSON.parse(reply.text);
      const again = rows.find(({ first_name }) => seen.has(first_name));
      if (again)
        violate('a page walk misses and repeats nothing', `${again.first_name} is on two pages (${url}).`);
      for (const { first_name } of rows) seen.add(first_name);
      const next = /<([^>]*)>; rel="next"/.exec(String(reply.headers.Link))?.[1];
      if (next === undefined) break;
      url = next;
    }
    for (const marker of before)
      if (!seen.has(marker) && model.contacts.get(marker)?.erasure === 'none')
        violate(
          'a page walk misses and repeats nothing',
          `${marker} existed before the first page was read, and was on no page (order ${order}, ${perPage} per page).`,
        );
  }

  async function count(): Promise<void> {
    // The newest ones, because a list has at most 100.
    const from = new Date(Date.now() - 1_000).toISOString();
    const url = `/api/v1/contacts?per_page=100&date_from=${from}`;
    const reply = await call({ method: 'GET', url, headers: { prefer: 'count=exact' } }, 1);
    if (reply?.status !== 200) return;
    const rows: object[] = JSON.parse(reply.text);
    const total = Number(reply.headers['X-Total-Count']);
    if (rows.length !== Math.min(100, total))
      violate(
        'counts agree with rows',
        `GET ${url} returned ${rows.length} contacts and X-Total-Count: ${total}.`,
      );
  }

  async function act(operation: Operation, index: number): Promise<void> {
    if (operation.kind === 'create') return create(operation, `client${number}-${index}-contact`);
    if (operation.kind === 'update') return update(operation, `client${number}-${index}-name`);
    if (operation.kind === 'read') return readOne(operation);
    if (operation.kind === 'walk') return walk(operation);
    return count();
  }

  note(`starts, for company ${plan.company} with token ${company.tokens[plan.token]?.id}`);
  let index = 0;
  for (const operation of plan.operations) {
    await pause(random.next() * plan.pauseMs);
    await act(operation, index);
    index += 1;
  }
}

const pickFrom = <T>(all: readonly T[], pick: number): T | undefined => all[pick % all.length];

const isInProgress = ({ status, text }: ApiReply): boolean => status === 409 && text.includes('in progress');

/** Returns what clients have written in a text: names, and values of the unique field. */
const writtenIn = (text: string): string[] => text.match(/client\d+-\d+-\w+|value \d/g) ?? [];

const shortened = (text: string): string => writtenIn(text).join(' ') || text.slice(0, 70);

const contentOf = ({ body = {}, headers = {} }: Omit<ApiRequest, 'token'>): string => {
  const parts = [
    ...writtenIn(JSON.stringify(body)),
    ...Object.entries(headers).map((pair) => pair.join(': ')),
  ];
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
};
