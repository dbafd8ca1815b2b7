import { expect, test } from 'vitest';
import type { Crowd } from '../../server/pipeline/crowd.ts';
import { startService } from '../service.ts';

const open: Crowd = { letIn: () => true, begin: () => true, end() {}, isCrowded: () => false };

test('who is turned away at the door is told when to come again, by his own name, and nothing else is done', async () => {
  let isFull = false;
  let turnedAway = 0;
  const { api, base, company, records, faults } = await startService({
    crowd: { ...open, letIn: () => !isFull },
    onTurnedAway: () => {
      turnedAway += 1;
    },
  });
  await company.contact();
  const answered = records.length;
  isFull = true;
  const refused = await api.createContact({ first_name: 'Ada' }, { 'x-request-id': 'mine' });
  expect(refused).toBeRefused(503, 50301, '');
  expect([refused.headers.get('retry-after'), refused.headers.get('x-request-id')]).toEqual(['1', 'mine']);
  expect((await fetch(`${base}/readyz`)).status).toBe(200);
  expect([turnedAway, records.length - answered, faults]).toEqual([1, 0, []]);
  isFull = false;
  expect((await api.listContacts()).body).toHaveLength(1);
});

test('pages of other origins meet the same door', async () => {
  const { base } = await startService({
    crowd: { ...open, letIn: () => false },
    allowedOrigins: ['https://app.example.com'],
  });
  const answer = await fetch(`${base}/api/v1/contacts`, { headers: { origin: 'https://app.example.com' } });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
    503,
    'https://app.example.com',
  ]);
});

test('what cannot be begun is refused after its check, and whatever was begun ends', async () => {
  const inWork: (string | undefined)[] = [];
  let isFull = false;
  const { api, company, faults } = await startService({
    crowd: {
      ...open,
      begin: (who) => {
        if (isFull) return false;
        inWork.push(who);
        return true;
      },
      end: (who) => {
        inWork.push(who);
      },
    },
  });
  expect((await api.createContact({ first_name: 'Ada' })).status).toBe(201);
  expect((await api.getContact(99)).status).toBe(404);
  // Each company on its own, whatever is known of its tokens when the work ends.
  expect(inWork).toEqual(Array(4).fill(String(company.id)));
  isFull = true;
  expect(await api.createContact({ first_name: 7 })).toBeRefused(422, 42201);
  expect(await api.createContact({ first_name: 'Ada' })).toBeRefused(503, 50301, '');
  expect([inWork.length, faults]).toEqual([4, []]);
});
