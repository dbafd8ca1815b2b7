import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { contractConfig } from '../../../../parley-contract.config.ts';
import {
  checkFullParity,
  checkStatelessParity,
  parityCases,
} from '../../../../scripts/testing/parity/run.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';
import { demoService, statefulMock, staticMock } from './targets.ts';

const counts = { valid: sampleCount(30), invalid: sampleCount(4), seed };

/** Error responses that depend on stored data, so the static mock cannot return them. */
const byStoredData = [
  'getContact 404 40401 path/id',
  'updateContact 404 40401 path/id',
  'getConversation 404 40401 path/id',
  'getMessage 404 40401 path/id',
  'updateWebhook 404 40401 path/id',
  'deleteWebhook 404 40401 path/id',
  'createContact 422 42201 /fields/*/id',
  'createContact 422 42201 /fields/*/value',
  'createContact 409 40901 /fields/*/value',
  'updateContact 422 42201 /company_id',
  'updateContact 422 42201 /fields/*/id',
  'updateContact 422 42201 /fields/*/value',
  'updateContact 409 40901 /fields/*/value',
  'updateContact 412 41201 header/If-Match',
  'createMessage 422 42201 /conversation_id',
  'createWebhook 422 42201 (no location)',
  'createContact 422 42202 header/Idempotency-Key',
  'createMessage 422 42202 header/Idempotency-Key',
  'createWebhook 422 42202 header/Idempotency-Key',
];

const told = (differences: object[]) => differences.slice(0, 10).map((each) => JSON.stringify(each, null, 1));

test('server and static mock return the same response if it does not depend on stored data', async () => {
  const [server, mock] = [await demoService(), await staticMock()];
  const asked = await parityCases({ document, server, ...counts });
  const agreement = await checkStatelessParity(
    { document, server, errors: contractConfig.errors },
    mock,
    asked,
  );
  expect(told(agreement.differences), `seed ${seed}`).toEqual([]);
  expect(agreement.requested).toBeGreaterThan(1_900);
  expect(agreement.rejected).toBeGreaterThan(1_000);
  if (process.env.SHOW_STORED)
    process.stdout.write(
      `${[...agreement.stored].map(([name, count]) => `${count} × ${name}`).join('\n')}\n`,
    );
  expect(
    [...agreement.stored.keys()].filter((name) => !byStoredData.includes(name)),
    'The static mock cannot return these. If they depend on stored data, add them to byStoredData',
  ).toEqual([]);
}, 600_000);

test('server and stateful mock return the same response in every case', async () => {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const [server, mock] = [await demoService(() => clock.now), await statefulMock(() => clock.now)];
  const asked = await parityCases({ document, server, ...counts });
  const agreement = await checkFullParity(server, mock, asked);
  expect(told(agreement.differences), `seed ${seed}`).toEqual([]);
  expect(agreement.requested).toBeGreaterThan(1_900);
}, 600_000);
