import { expect, onTestFinished, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { runConformance } from '../../../../scripts/testing/conformance/run.ts';
import { phases } from '../../../../scripts/testing/conformance/session.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { contractOf } from '../../../support/documents.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';
import { startService } from '../../../support/service.ts';

test('the service conforms to its whole contract for all generated requests', async () => {
  const { base, company, errors } = await startService();
  for (const type of ['short_text', 'text', 'numbers', 'date'] as const) await company.field({ type });
  await company.field({ isUnique: true });
  for (const first_name of ['Ada', 'Grace']) {
    const conversation = await company.conversation({ caller_id: await company.contact({ first_name }) });
    await company.message(conversation);
  }
  const { send, close } = createRequestSender(base, 10_000);
  onTestFinished(close);
  const report = await runConformance({
    contract: contractOf(document),
    send,
    base,
    credentials: { headers: { Authorization: `Bearer ${(await company.token()).token}` }, query: {} },
    phases,
    only: [],
    runs: sampleCount(25),
    seed,
  });
  const told = report.findings.map(({ operation, message, curl }) => `${operation}: ${message}\n${curl}`);
  expect(told, `seed ${seed}`).toEqual([]);
  expect(errors).toEqual([]);
  expect(report.gaps.neverAccepted).toEqual([]);
  expect(report.gaps.unsupported).toEqual([]);
  expect(report.gaps.unmade).toEqual([]);
  // Random requests seldom search for an empty text, create 100 webhooks, or reuse a key, so these rules might not
  // reject any of them. They have their own tests.
  const seldom = [
    'searchContacts: `query` must contain a searchable character.',
    'createWebhook: A company must not have more than 100 webhooks.',
  ];
  const isSeldom = (rule: string) =>
    seldom.includes(rule) || rule.includes(': An `Idempotency-Key` must not be reused');
  expect(
    report.gaps.rulesNotMet.filter((rule) => !isSeldom(rule)),
    'Rules that no request violated: test them elsewhere, and name them in `seldom`',
  ).toEqual([]);
  // A generator whose requests are all rejected would test nothing.
  for (const { id, valid } of report.operations)
    expect(valid?.accepted, id).toBeGreaterThan((valid?.sent ?? 0) / 10);
}, 600_000);
