import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { operationsOf } from '../../../server/contract/operations.ts';
import { readBody } from '../../../server/http/express/read-body.ts';
import { content, documentOf } from '../../support/schemas.ts';

const post = {
  requestBody: content({ type: 'string' }, 'text/plain'),
  responses: { 200: { description: 'ok' } },
};

test('keeps few chunks of a body that arrives in chunks of one byte', async () => {
  const [operation = expect.fail()] = operationsOf(compileContract(documentOf({ '/texts': { post } })));
  const req = new IncomingMessage(new Socket());
  req.headers = { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' };
  const reading = readBody(req, new ServerResponse(req), operation, 100_000);
  const chunks: WeakRef<Buffer>[] = [];
  for (let count = 0; count < 10_000; count += 1) {
    const chunk = Buffer.from(String(count % 10));
    chunks.push(new WeakRef(chunk));
    req.push(chunk);
    if (count % 1_000 === 0) await setImmediate();
  }
  await setImmediate();
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  // Each takes 450 bytes of memory besides its content.
  expect(chunks.filter((chunk) => chunk.deref()).length).toBeLessThan(1_000);
  req.complete = true;
  req.push(null);
  expect(await reading).toMatchObject({ body: '0123456789'.repeat(1_000) });
});
