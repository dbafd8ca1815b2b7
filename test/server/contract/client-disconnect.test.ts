import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import express from 'express';
import { expect, test } from 'vitest';
import document from '../../../generated/openapi.json' with { type: 'json' };
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { errorFormat } from '../../../server/errors.ts';
import { createPipeline } from '../../../server/http/express/pipeline.ts';
import { startListening } from '../../support/start-listening.ts';

/** Starts a service whose authentication takes 100 ms, as with a remote database. */
async function slowToKnow() {
  const told: { status: number }[] = [];
  const errors: unknown[] = [];
  const addresses: string[] = [];
  let arrived = () => {};
  const here = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const pipeline = createPipeline({
    contract: compileContract(document),
    errors: errorFormat,
    authenticate: async (credentials) => {
      arrived();
      await wait(100);
      addresses.push(credentials.address());
      return { caller: {}, scopes: new Set(['contacts:write']), headers: {} };
    },
    respond: async () => ({ status: 201, headers: { Location: '/api/v1/contacts/1' }, body: { id: 1 } }),
    onResponse: ({ status }) => told.push({ status }),
    onError: ({ error }) => errors.push(error),
  });
  const base = await startListening(express().use(pipeline));
  return { port: Number(new URL(base).port), told, faults: errors, addresses, here };
}

const body = '{"first_name":"Ada"}';

test.each([
  ['whole', body],
  ['half', body.slice(0, 9)],
])(
  'a client that disconnects during authentication causes no internal error (%s body sent)',
  async (_much, sent) => {
    const { port, told, faults: errors, addresses, here } = await slowToKnow();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `POST /api/v1/contacts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${sent}`,
    );
    await here;
    socket.resetAndDestroy();
    await expect.poll(() => told).toEqual([{ status: 400 }]);
    expect(errors).toEqual([]);
    // The address of the client is still known, so that the failure counts against its network (D33).
    expect(addresses[0]).toMatch(/127\.0\.0\.1$/);
  },
);
