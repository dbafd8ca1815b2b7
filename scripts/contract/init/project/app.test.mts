import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { contractTests, recordCoverage } from 'parley-contract/testing';
import { createApp } from './app.mts';

const coverage = await recordCoverage();
const server = createServer(createApp(coverage.observe)).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
after(() => server.close());
// `npm run coverage` shows which parts of the contract the tests covered.
after(coverage.save);

// Each operation gets its examples, boundary values and random requests. Each type of resource gets sequences.
for (const { operation, run } of await contractTests({ url })) test(operation, run);

test('returns a created note', async () => {
  const created = await fetch(`${url}/notes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text: 'Buy milk' }),
  });
  const note = await created.json();
  assert.deepEqual(await (await fetch(`${url}/notes/${note.id}`)).json(), note);
});
