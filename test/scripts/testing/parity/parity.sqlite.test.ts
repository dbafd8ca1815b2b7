import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { contractConfig } from '../../../../parley-contract.config.ts';
import {
  checkFullParity,
  checkStatelessParity,
  parityCases,
} from '../../../../scripts/testing/parity/run.ts';
import { isOperationId, pathOf } from '../../../../server/contract/handler.ts';
import { contractOf } from '../../../support/contract-of.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';
import { demoService, statefulMock, staticMock } from './targets.ts';

const counts = { valid: sampleCount(30), invalid: sampleCount(4), seed };

const contract = contractOf(document);
const { operations } = contract;

/** Error responses other than 404 and 422 that depend on stored data. The static mock cannot return them. */
const conflicts = [
  'createContact 409 40901 /fields/*/value',
  'updateContact 409 40901 /fields/*/value',
  'updateContact 412 41201 header/If-Match',
];

/** Whether an error response reports a missing resource, a violated rule about stored data, or a conflict. */
function dependsOnStoredData(name: string): boolean {
  const [id = '', status, code, ...location] = name.split(' ');
  if (!isOperationId(id)) return false;
  const [where, rules] = [location.join(' '), operations.find((each) => each.id === id)?.rules ?? []];
  return (
    conflicts.includes(name) ||
    (name === `${id} 404 40401 path/id` && pathOf(id).includes('{id}')) ||
    rules.some(
      (rule) =>
        rule.stored &&
        status === '422' &&
        code === String(rule.code ?? 42201) &&
        (rule.fields.includes(where) || (where === '(no location)' && rule.fields.length === 0)),
    )
  );
}

const told = (differences: object[]) => differences.slice(0, 10).map((each) => JSON.stringify(each, null, 1));

test('server and static mock return the same response if it does not depend on stored data', async () => {
  const [server, mock] = [await demoService(), await staticMock()];
  const asked = await parityCases({ contract, server, ...counts });
  const agreement = await checkStatelessParity(
    { contract, server, errors: contractConfig.errors },
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
    [...agreement.stored.keys()].filter((name) => !dependsOnStoredData(name)),
    'The static mock cannot return these. Declare them in x-rules with stored: true, or add them to conflicts',
  ).toEqual([]);
}, 600_000);

test('server and stateful mock return the same response in every case', async () => {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const [server, mock] = [await demoService(() => clock.now), await statefulMock(() => clock.now)];
  const asked = await parityCases({ contract, server, ...counts });
  const agreement = await checkFullParity(server, mock, asked);
  expect(told(agreement.differences), `seed ${seed}`).toEqual([]);
  expect(agreement.requested).toBeGreaterThan(1_900);
}, 600_000);
