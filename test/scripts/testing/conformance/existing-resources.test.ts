import { expect, test } from 'vitest';
import { content, documentOf, object, string } from '../../../support/schemas.ts';
import { conformanceOf } from './conformance-of.ts';

const id = (name: string) => ({ name, in: 'path', required: true, schema: string });
const yes = { description: 'Yes.', ...content({}) };

test('a resource whose deletion is refused need not be gone', async () => {
  const requestBody = { required: true, ...content(object({ name: string }, 'name')) };
  const document = documentOf({
    '/pets': { post: { operationId: 'create', requestBody, responses: { 201: yes } } },
    '/pets/{petId}': {
      parameters: [id('petId')],
      get: { operationId: 'read', responses: { 200: yes } },
      delete: {
        operationId: 'remove',
        responses: { 204: { description: 'Yes.' }, 403: { description: 'No.' } },
      },
    },
  });
  const { findings } = await conformanceOf(
    document,
    async ({ method }) => ({
      status: { POST: 201, GET: 200 }[method] ?? 403,
      headers: { 'content-type': 'application/json' },
      text: method === 'DELETE' ? '' : '{"id":"pet 1"}',
    }),
    { phases: ['stateful'], runs: 10 },
  );
  expect(findings.map(({ operation, check }) => `${operation} ${check}`)).not.toContain(
    'read gone-after-deletion',
  );
});

test('most requests with a property named like a path parameter name an existing resource, unless they create it', async () => {
  const post = (...names: string[]) => {
    const properties = Object.fromEntries(names.map((name) => [name, { ...string, minLength: 9 }]));
    const requestBody = { required: true, ...content(object(properties, ...names)) };
    return { post: { requestBody, responses: { 201: yes } } };
  };
  const read = { parameters: [id('toolId')], responses: { 200: { description: 'Yes.' } } };
  const document = documentOf({
    '/tools': post('toolId'),
    '/tools/{toolId}': { get: read },
    '/rentals': post('toolId', 'note'),
  });
  const sent: Record<string, unknown[]> = { '/tools': [], '/rentals': [] };
  await conformanceOf(
    document,
    async ({ method, target, body: text = '' }) => {
      if (method !== 'POST') return { status: 200, headers: {}, text: '' };
      sent[target]?.push(JSON.parse(String(text)).toolId);
      return { status: 201, headers: { 'content-type': 'application/json' }, text: '{"id":"tool number 1"}' };
    },
    { phases: ['random'], runs: 40 },
  );
  const share = (path: string) => {
    const all = sent[path] ?? [];
    return all.filter((each) => each === 'tool number 1').length / all.length;
  };
  expect(share('/rentals')).toBeGreaterThan(0.3);
  expect(share('/tools')).toBe(0);
});
