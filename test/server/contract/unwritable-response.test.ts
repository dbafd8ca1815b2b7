import { expect, test } from 'vitest';
import document from '../../../generated/openapi.json' with { type: 'json' };
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { errorFormat } from '../../../server/errors.ts';
import { createPipeline, type PipelineOptions } from '../../../server/http/express/pipeline.ts';
import { startListening } from '../../support/start-listening.ts';

async function pipelineWith(options: Partial<PipelineOptions<object>>) {
  const errors: unknown[] = [];
  const pipeline = createPipeline<object>({
    contract: compileContract(document),
    errors: errorFormat,
    authenticate: async () => ({ caller: {}, scopes: new Set(['contacts:write']), headers: {} }),
    respond: async () => ({ status: 201, headers: { Location: '/api/v1/contacts/1' }, body: { id: 1 } }),
    onError: ({ error }) => errors.push(error),
    ...options,
  });
  const base = await startListening(pipeline);
  const create = () =>
    fetch(`${base}/api/v1/contacts`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"first_name":"Ada"}',
    });
  return { create, faults: errors };
}

test('if Node.js cannot write a response, reports the error, and then serves other requests', async () => {
  let headers = { 'X-Limit': 'two\nlines' };
  const { create, faults: errors } = await pipelineWith({
    authenticate: async () => ({ caller: {}, scopes: new Set(['contacts:write']), headers }),
  });
  await expect(create()).rejects.toThrow();
  expect(errors).toHaveLength(1);
  headers = { 'X-Limit': 'one line' };
  expect((await create()).status).toBe(201);
});

test('reports an error that onResponse throws, and still sends the response', async () => {
  const { create, faults: errors } = await pipelineWith({
    onResponse: () => {
      throw new Error('No space left.');
    },
  });
  expect((await create()).status).toBe(201);
  expect((await create()).status).toBe(201);
  expect(errors).toHaveLength(2);
});
