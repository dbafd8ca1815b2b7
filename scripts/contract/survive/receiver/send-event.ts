import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { chunksOf, pausesMs } from '../../mock/scenarios/deliver.ts';
import type { Delivery } from '../../mock/scenarios/scenario.ts';
import type { EventMessage } from './event-scenario.ts';

/** A receiver of events. */
export interface Receiver {
  url: string;
  /** The secret of the signatures (`whsec_…`); without it, events are not signed. */
  secret: string | undefined;
  timeoutMs: number;
}

/** The response of a receiver; undefined if it did not respond in time. */
export type EventResponse = { status: number; body: string } | undefined;

/** Sends an event, signed according to Standard Webhooks. @returns the response to each time that it was sent */
export async function sendEvent(
  receiver: Receiver,
  method: string,
  message: EventMessage,
): Promise<EventResponse[]> {
  const id = `msg_${randomUUID()}`;
  const responses: EventResponse[] = [];
  for (let count = 0; count < (message.times ?? 1); count += 1)
    responses.push(await sendOnce(receiver, method, message, id));
  return responses;
}

function sendOnce(
  { url, secret, timeoutMs }: Receiver,
  method: string,
  message: EventMessage,
  id: string,
): Promise<EventResponse> {
  const { parameter } = message;
  const bytes = Buffer.from(message.payload);
  const headers = {
    ...message.headers,
    ...(secret === undefined ? { 'webhook-id': id } : signed(secret, id, message)),
    ...(parameter ? {} : { 'Content-Length': String(bytes.length) }),
  };
  const target = new URL(url);
  if (parameter) target.searchParams.append(parameter.name, bytes.toString(parameter.encoding));
  return new Promise((resolve, reject) => {
    const sent = request(target, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          message.hasUpperCaseHeaders ? name.toUpperCase() : name,
          value,
        ]),
      ),
    });
    sent.setNoDelay(true);
    sent.on('error', (error) => (error.name === 'AbortError' ? resolve(undefined) : reject(error)));
    sent.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    const { delivery } = message;
    if (parameter) sent.end();
    else writeAll(sent, delivery ? chunksOf(bytes, delivery) : [bytes], delivery).catch(reject);
  });
}

async function writeAll(
  sent: ReturnType<typeof request>,
  chunks: readonly Uint8Array[],
  delivery: Delivery | undefined,
): Promise<void> {
  for (const chunk of chunks) {
    sent.write(chunk);
    if (chunk !== chunks.at(-1)) await wait(delivery === 'slow' ? pausesMs.slow : pausesMs.chunks);
  }
  sent.end();
}

/** Returns the headers of Standard Webhooks. */
function signed(
  secret: string,
  id: string,
  { payload, signatures = ['right'], skewSeconds = 0 }: EventMessage,
): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000) + skewSeconds);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const digest = (with_: Buffer) =>
    createHmac('sha256', with_).update(`${id}.${timestamp}.${payload}`).digest('base64');
  const versions = {
    right: () => `v1,${digest(key)}`,
    wrong: () => `v1,${digest(randomBytes(24))}`,
    'other version': () => `v9,${digest(randomBytes(24))}`,
  };
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signatures.length === 0
      ? {}
      : { 'webhook-signature': signatures.map((each) => versions[each]()).join(' ') }),
  };
}
