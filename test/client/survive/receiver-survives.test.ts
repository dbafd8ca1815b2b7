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
import { type Fault, faultyCopy } from './faulty-copy.ts';

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
  const report = await sendTo(await startWith(await faultyCopy<Webhooks>('webhooks', undefined)));
  expect(problemsIn(report)).toEqual([]);
  const ran = report.results.map(({ scenario }) => scenario.name);
  expect([...ran, ...report.notApplicable].toSorted()).toEqual(
    scenariosOfReceivers(promises)
      .map(({ name }) => name)
      .toSorted(),
  );
  expect(report.baseline.requests).toBe(contract.webhooks.length);
});

/** Faults, each with what finds it. */
const faults: Record<string, [fault: Fault, found: string]> = {
  'unknown types of events are rejected': [
    {
      file: 'webhooks.ts',
      from: "if (!violationsOf) return { form: 'unknown', event: { ...event, type: event.type } };",
      to: "if (!violationsOf) throw new WebhookError('event', 'unknown');",
    },
    'new-event-type: exception',
  ],
  'unknown types of events in the URL are rejected': [
    {
      file: 'webhooks.ts',
      from: "if (!violationsOf) return { form: 'unknown',",
      to: "if (!violationsOf && form === 'short') throw new WebhookError('event', 'unknown');if (!violationsOf) return { form: 'unknown',",
    },
    'new-event-type: exception',
  ],
  'unknown properties are rejected': [
    {
      file: 'webhooks.ts',
      from: 'if (violation)',
      to: "if (violation || payload.includes('added_later'))",
    },
    'new-properties: exception',
  ],
  'unknown values of enumerations are rejected': [
    {
      file: 'webhooks.ts',
      from: 'if (violation)',
      to: `if (violation || /"(status|type|service)":"added_later"/.test(payload))`,
    },
    'new-enum-values: exception',
  ],
  'null is rejected': [
    {
      file: 'webhooks.ts',
      from: 'if (violation)',
      to: `if (violation || payload.includes('"telephone_number":null'))`,
    },
    'nulls: exception',
  ],
  'the difference between clocks may be one minute': [
    { file: 'webhooks.ts', from: 'toleranceSeconds = 300', to: 'toleranceSeconds = 60' },
    'clock-behind: exception',
  ],
  'the difference between clocks is ignored': [
    { file: 'webhooks.ts', from: 'toleranceSeconds = 300', to: 'toleranceSeconds = 1e9' },
    'replayed-event: accepted forgery',
  ],
  'signatures are not compared': [
    { file: 'webhooks.ts', from: 'return verdicts.includes(true);', to: 'return verdicts.length > 0;' },
    'forged-signature: accepted forgery',
  ],
  'a missing signature is accepted': [
    {
      file: 'webhooks.ts',
      from: /!signatures \|\| ([\s\S]*?)if \(!\(await isSigned/,
      to: '$1if (signatures && !(await isSigned',
    },
    'missing-signature: accepted forgery',
  ],
  'only the first signature counts': [
    { file: 'webhooks.ts', from: '.slice(0, 10);', to: '.slice(0, 1);' },
    'two-signatures: exception',
  ],
  'versions of signatures are not known': [
    {
      file: 'webhooks.ts',
      from: ".flatMap((signature) => (signature.startsWith('v1,') ? [",
      to: ".slice(0, 1).flatMap((signature) => (signature.startsWith('v1,') ? [",
    },
    'signature-versions: exception',
  ],
  'JSON is serialized again before it is verified': [
    {
      file: 'webhooks.ts',
      from: /carried\.payload\}`/,
      to: 'JSON.stringify(JSON.parse(carried.payload))}`',
    },
    'json-forms: exception',
  ],
};

test.each(Object.keys(faults))('found in a receiver: %s', async (name) => {
  const [fault, found] = faults[name] ?? [undefined, ''];
  const url = await startWith(await faultyCopy<Webhooks>('webhooks', fault));
  const report = await sendTo(url, [found.split(':')[0] ?? '']);
  expect(problemsIn(report)).toContain(found);
});
