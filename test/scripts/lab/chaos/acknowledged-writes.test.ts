import { expect, test } from 'vitest';
import {
  type ArrivedEvent,
  changeKey,
  createAcknowledgedWrites,
  findLostWrites,
  type StoredContact,
  summarizeTimeline,
} from '../../../../scripts/lab/chaos/acknowledged-writes.ts';

/** Two contacts, each created and renamed. All writes are acknowledged and stored, and their events delivered. */
function sound() {
  const writes = createAcknowledgedWrites();
  const stored: StoredContact[] = [];
  const arrived: ArrivedEvent[] = [];
  for (const id of [1, 2]) {
    writes.created.set(`key${id}`, id);
    writes.names.set(id, { acknowledgedName: `key${id} 1`, possibleNames: new Set() });
    stored.push({ id, lastName: `key${id} 1` });
    for (const [webhookId, name] of [
      [7, `key${id} 0`],
      [8, `key${id} 1`],
    ] as const) {
      writes.acknowledged.add(changeKey(id, name));
      arrived.push({ webhookId, sequence: id, data: { id, last_name: name } });
    }
  }
  return { ledger: writes, stored, arrived };
}

const balanced = ({ ledger: writes, stored, arrived }: ReturnType<typeof sound>) =>
  findLostWrites(writes, stored, arrived);
const nothing = { lostWrites: 0, lostEvents: 0, gaps: 0, duplicates: 0, surplus: 0, stale: 0 };

test('reports no loss if everything is stored and delivered', () => {
  expect(balanced(sound())).toEqual({ ...nothing, acknowledged: 4, events: 4 });
});

test('reports an acknowledged contact that is missing as lost', () => {
  const all = sound();
  all.stored.pop();
  expect(balanced(all)).toMatchObject({ ...nothing, lostWrites: 1 });
});

test('reports a stored name other than the acknowledged one as lost, unless a later write may have set it', () => {
  const all = sound();
  all.stored[0] = { id: 1, lastName: 'key1 0' };
  expect(balanced(all)).toMatchObject({ ...nothing, lostWrites: 1 });
  all.ledger.names.get(1)?.possibleNames.add('key1 0');
  expect(balanced(all)).toMatchObject(nothing);
});

test('reports a change without a delivered event as a lost event, and its missing sequence number as a gap', () => {
  const all = sound();
  const [lost] = all.arrived.splice(0, 1);
  expect(lost?.sequence).toBe(1);
  expect(balanced(all)).toMatchObject({ ...nothing, lostEvents: 1, gaps: 1 });
});

test('reports only a duplicate if an event was delivered twice', () => {
  const all = sound();
  all.arrived.push(...all.arrived.slice(0, 1));
  expect(balanced(all)).toMatchObject({ ...nothing, duplicates: 1, events: 4 });
});

test('reports a second contact for the same Idempotency-Key as surplus', () => {
  const all = sound();
  all.stored.push({ id: 3, lastName: 'key1 0' });
  expect(balanced(all)).toMatchObject({ ...nothing, surplus: 1 });
});

test('recovery ends with the last failed request, and status codes other than 2xx and 503 count as wrong', () => {
  const outcomes = [
    { from: 0, to: 100, status: 200 },
    { from: 100, to: 2_100, status: 503 },
    { from: 200, to: 3_500, status: 0 },
    { from: 3_600, to: 3_700, status: 201 },
    { from: 3_800, to: 3_900, status: 500 },
    { from: 3_900, to: 3_950, status: 429 },
  ];
  expect(summarizeTimeline(outcomes, 3_000)).toEqual({
    answered: 2,
    unavailable: 1,
    unanswered: 1,
    wrong: 2,
    slowest: 3.3,
    recovery: 0.5,
  });
  expect(summarizeTimeline(outcomes.slice(0, 1), 50).recovery).toBe(0);
});
