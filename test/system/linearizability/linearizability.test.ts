import { expect, onTestFinished, test } from 'vitest';
import { createPrng, type Prng } from '../../../scripts/lib/prng.ts';
import { maxFields } from '../../../server/own-contract/constants.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { onPostgres } from '../../support/databases.ts';
import { sampleCount, seed } from '../../support/sampling.ts';
import { startService, unsetContact } from '../../support/service.ts';
import { startProcesses } from '../concurrency/service-processes.ts';
import { type HistoryCall, type HistoryEntry, isLinearizable } from './model.ts';

const callers = 6;
const callsEach = 5;
const values = ['a', 'b', 'c'];

/** Sends the request of a call. @returns the response in the form of a history and, for a read, name and ETag */
async function make(
  call: HistoryCall,
  { api, etag, field }: { api: ApiClient; etag: string; field: number },
) {
  const fieldsOf = (value: string | undefined) => (value === undefined ? [] : [{ id: field, value }]);
  if (call.kind === 'create') {
    const body = { first_name: 'Ada', fields: fieldsOf(call.value) };
    const { status, body: made } = await api.createContact(body, { 'idempotency-key': call.key });
    return { response: status === 201 ? `201 ${made.id}` : String(status) };
  }
  if (call.kind === 'read') {
    const { status, body, headers } = await api.getContact(call.contact);
    return {
      response: `${status} ${body.last_name}`,
      name: String(body.last_name),
      etag: headers.get('etag') ?? '',
    };
  }
  const body = {
    ...unsetContact,
    avatar: null,
    status: 'online',
    first_name: 'Ada',
    last_name: call.name,
    fields: fieldsOf(call.value),
  };
  return { response: String((await api.updateContact(call.contact, body, { 'if-match': etag })).status) };
}

/** Makes random calls as one client, each after the previous response. */
async function act(
  chance: Prng,
  given: { any: () => ApiClient; field: number; contacts: number[]; caller: number; round: number },
) {
  const done: HistoryEntry[] = [];
  const read = new Map<number, { name: string; etag: string }>();
  for (let number = 0; number < callsEach; number += 1) {
    const contact = chance.oneOf(given.contacts);
    const known = read.get(contact);
    const dice = chance.below(10);
    const call: HistoryCall =
      dice < 4
        ? { kind: 'create', key: `${given.round} ${chance.below(3)}`, value: chance.oneOf(values) }
        : known && dice < 8
          ? {
              kind: 'update',
              contact,
              read: known.name,
              name: `${given.caller}-${number}`,
              value: chance.below(3) === 0 ? undefined : chance.oneOf(values),
            }
          : { kind: 'read', contact };
    const from = performance.now();
    const { response, ...seen } = await make(call, {
      api: given.any(),
      etag: known?.etag ?? '',
      field: given.field,
    });
    done.push({ call, from, to: performance.now(), response });
    if (seen.etag !== undefined) read.set(contact, seen);
  }
  return done;
}

/** Each needs a custom field. */
const rounds = Math.min(sampleCount(15), maxFields);

test('the responses of concurrent clients are consistent with one order of their calls', async () => {
  const together = onPostgres ? await startProcesses(onTestFinished) : undefined;
  const company = together ? await together.company() : (await startService()).company;
  const any = 'any' in company ? company.any : () => company.api;
  const chance = createPrng(seed);
  const tally = new Map<string, number>();
  for (let round = 0; round < rounds; round += 1) {
    const { id: field } = await company.field({ isUnique: true });
    const contacts = [await company.contact(), await company.contact()];
    const histories = await Promise.all(
      Array.from({ length: callers }, (_none, caller) =>
        act(createPrng(chance.below(2 ** 31)), { any, field, contacts, caller, round }),
      ),
    );
    const history = histories.flat();
    const names = Object.fromEntries(contacts.map((id) => [id, 'null']));
    expect(isLinearizable(history, names), JSON.stringify(history, null, 1)).toBe(true);
    for (const { call, response } of history) {
      const outcome = `${call.kind} ${response.split(' ')[0]}`;
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    }
  }
  // Histories without conflicts would prove nothing.
  for (const outcome of [
    'create 201',
    'create 409',
    'create 422',
    'update 200',
    'update 409',
    'update 412',
    'read 200',
  ])
    expect(tally.get(outcome), outcome).toBeGreaterThan(0);
}, 300_000);

const update = (from: number, to: number, response: string, name: string): HistoryEntry => ({
  call: { kind: 'update', contact: 1, read: 'null', name, value: undefined },
  from,
  to,
  response,
});
const create = (
  from: number,
  to: number,
  response: string,
  [key, value]: [string, string],
): HistoryEntry => ({
  call: { kind: 'create', key, value },
  from,
  to,
  response,
});
const read = (from: number, to: number, name: string): HistoryEntry => ({
  call: { kind: 'read', contact: 1 },
  from,
  to,
  response: `200 ${name}`,
});

test.each<[string, boolean, HistoryEntry[]]>([
  [
    'of two updates of one reading one went through',
    true,
    [update(0, 2, '200', 'a'), update(1, 3, '412', 'b')],
  ],
  [
    'of two updates of one reading both went through',
    false,
    [update(0, 2, '200', 'a'), update(1, 3, '200', 'b')],
  ],
  [
    'of two updates of one reading none went through',
    false,
    [update(0, 2, '412', 'a'), update(1, 3, '412', 'b')],
  ],
  ['a read that sees a concurrent write', true, [update(0, 3, '200', 'a'), read(1, 2, 'a')]],
  [
    'a reading that does not see what was written before',
    false,
    [update(0, 1, '200', 'a'), read(2, 3, 'null')],
  ],
  [
    'two creations of one value',
    false,
    [create(0, 2, '201 7', ['k', 'v']), create(1, 3, '201 8', ['l', 'v'])],
  ],
  ['one key, one contact', true, [create(0, 2, '201 7', ['k', 'v']), create(1, 3, '201 7', ['k', 'v'])]],
  ['one key, two contacts', false, [create(0, 2, '201 7', ['k', 'v']), create(1, 3, '201 8', ['k', 'w'])]],
  [
    'a value rejected before a contact had it',
    false,
    [create(0, 1, '409', ['l', 'v']), create(2, 3, '201 7', ['k', 'v'])],
  ],
])('the history "%s" is linearizable: %s', (_what, expected, history) => {
  expect(isLinearizable(history, { 1: 'null' })).toBe(expected);
});
