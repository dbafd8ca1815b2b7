import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { contractConfig } from '../../../parley-contract.config.ts';
import { loadContract } from '../../../scripts/contract/load/load-contract.ts';
import { namesIn, readPromises } from '../../../scripts/contract/load/read-promises.ts';
import {
  scenariosOfReceivers,
  surviveReceiver,
} from '../../../scripts/contract/survive/receiver/survive-receiver.ts';
import { serverUrl } from '../../../server/lib/server-url.ts';
import { problemsIn } from '../../scripts/contract/survive/run-in-process.ts';
import { faultyWebhooks } from './faulty-webhooks.ts';

type Webhooks = typeof import('../../../client/webhooks.ts');

const contract = await loadContract(contractConfig.api);
const promises = namesIn(await readPromises(contractConfig.api));
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** Starts a receiver that uses a copy of the client. */
async function startWith({ verifyWebhook, WebhookError }: Webhooks): Promise<string> {
  const server = createServer(async (request, response) => {
    try {
      const body = await buffer(request);
      await verifyWebhook({ headers: request.headers, url: request.url ?? '', body }, { secret });
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(error instanceof WebhookError ? 400 : 500).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return serverUrl(server, '127.0.0.1');
}

const sendTo = async (url: string, only: readonly string[] = []) =>
  surviveReceiver({ contract, promises, receiver: { url, secret, timeoutMs: 10_000 }, only });

test('a receiver with the client survives every scenario, with every event', async () => {
  const report = await sendTo(await startWith(await import('../../../client/webhooks.ts')));
  expect(problemsIn(report)).toEqual([]);
  const ran = report.results.map(({ scenario }) => scenario.name);
  expect([...ran, ...report.notApplicable].toSorted()).toEqual(
    scenariosOfReceivers(promises)
      .map(({ name }) => name)
      .toSorted(),
  );
  expect(report.baseline.requests).toBe(contract.webhooks.length);
});

/** Changes to `webhooks.ts`, and the scenario that finds each. */
const faults: [what: string, from: string | RegExp, to: string, found: string][] = [
  [
    'unknown types of events are rejected',
    "if (!violationsOf) return { form: 'unknown', event: { ...event, type: event.type } };",
    "if (!violationsOf) throw new WebhookError('event', 'unknown');",
    'new-event-type: exception',
  ],
  [
    'unknown types of events in the URL are rejected',
    "if (!violationsOf) return { form: 'unknown',",
    "if (!violationsOf && form === 'short') throw new WebhookError('event', 'unknown');if (!violationsOf) return { form: 'unknown',",
    'new-event-type: exception',
  ],
  [
    'unknown properties are rejected',
    'if (violation)',
    "if (violation || payload.includes('added_later'))",
    'new-properties: exception',
  ],
  [
    'unknown values of enumerations are rejected',
    'if (violation)',
    `if (violation || /"(status|type|service)":"added_later"/.test(payload))`,
    'new-enum-values: exception',
  ],
  [
    'null is rejected',
    'if (violation)',
    `if (violation || payload.includes('"telephone_number":null'))`,
    'nulls: exception',
  ],
  [
    'the difference between clocks may be one minute',
    'toleranceSeconds = 300',
    'toleranceSeconds = 60',
    'clock-behind: exception',
  ],
  [
    'the difference between clocks is ignored',
    'toleranceSeconds = 300',
    'toleranceSeconds = 1e9',
    'replayed-event: accepted forgery',
  ],
  [
    'signatures are not compared',
    'return verdicts.includes(true);',
    'return verdicts.length > 0;',
    'forged-signature: accepted forgery',
  ],
  [
    'a missing signature is accepted',
    /!signatures \|\| ([\s\S]*?)if \(!\(await isSigned/,
    '$1if (signatures && !(await isSigned',
    'missing-signature: accepted forgery',
  ],
  ['only the first signature counts', '.slice(0, 10);', '.slice(0, 1);', 'two-signatures: exception'],
  [
    'versions of signatures are not known',
    ".flatMap((signature) => (signature.startsWith('v1,') ? [",
    ".slice(0, 1).flatMap((signature) => (signature.startsWith('v1,') ? [",
    'signature-versions: exception',
  ],
  [
    'JSON is serialized again before it is verified',
    /carried\.payload\}`/,
    'JSON.stringify(JSON.parse(carried.payload))}`',
    'json-forms: exception',
  ],
];

test.each(faults)('found in a receiver: %s', async (_what, from, to, found) => {
  const url = await startWith(await faultyWebhooks({ from, to }));
  const report = await sendTo(url, [found.split(':')[0] ?? '']);
  expect(problemsIn(report)).toContain(found);
});
