import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import type { OpenApiDocument } from '../../../../scripts/lib/openapi-document.ts';
import { contract, rejected } from '../../../../scripts/runtime-package/express.ts';
import { runConformance } from '../../../../scripts/testing/conformance/run.ts';
import { createCoverageRecorder } from '../../../../scripts/testing/coverage/recorder.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { contractOf } from '../../../support/contract-of.ts';
import { readYaml } from '../../../support/read-yaml.ts';
import { startListening } from '../../../support/start-listening.ts';

const document: OpenApiDocument = readYaml(import.meta.dirname, 'streams-and-cookies.yaml');

async function serve() {
  const { observe, reached } = createCoverageRecorder(contractOf(document), new Set(), true);
  const app = express().use(
    contract(compileContract(document), {
      observe,
      async authenticate({ headers }) {
        if (headers['x-key'] !== 'k') throw rejected('tokenUnknown');
        return { caller: undefined, scopes: new Set<string>() };
      },
    }),
  );
  app.get(['/scores', '/me', '/keys'], (_req, res) => void res.type('text').send('All.'));
  app.get('/events', (_req, res) => void res.type('text/event-stream').write('data: 1\n\n'));
  const url = await startListening(app);
  const { send, close } = createRequestSender(url, 2_000);
  onTestFinished(close);
  return { url, send, reached };
}

test('an event stream that does not end, and a request without its cookie, are no findings', async () => {
  const { url, send } = await serve();
  const { findings, gaps } = await runConformance({
    contract: contractOf(document),
    ...{ send, base: url, credentials: { headers: { 'X-Key': 'k' }, query: {} } },
    ...{ phases: ['examples', 'random'], only: [], runs: 2, seed: 7 },
  });
  expect(findings.map(({ operation, message }) => `${operation}: ${message}`)).toEqual([]);
  expect(gaps.notes).toEqual([
    "getMe: 401, because its credentials were not given: --header 'Cookie: sid=…'",
  ]);
});

test('an event stream and the properties of a deep object are covered', async () => {
  const { send, reached } = await serve();
  await send({ method: 'GET', target: '/scores?filter%5Bcomposer%5D=1', headers: {}, body: undefined });
  await send({ method: 'GET', target: '/events', headers: {}, body: undefined });
  expect([...reached]).toEqual(
    expect.arrayContaining([
      'listScores ← query/filter/composer',
      'streamEvents',
      'streamEvents → 200 text/event-stream',
    ]),
  );
});
