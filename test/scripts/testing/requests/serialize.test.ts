import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { RequestParameter, TestedOperation } from '../../../../scripts/testing/requests/operations.ts';
import { isSerializable } from '../../../../scripts/testing/requests/parameters.ts';
import {
  type GeneratedRequest,
  serializeRequest,
  toCurl,
} from '../../../../scripts/testing/requests/serialize.ts';
import { startListening } from '../../../support/start-listening.ts';

const parameter = (given: Partial<RequestParameter>): RequestParameter => ({
  name: 'color',
  in: 'query',
  required: false,
  schema: true,
  style: 'form',
  explode: true,
  mediaType: undefined,
  examples: [],
  resourceType: undefined,
  ...given,
});

function request(given: RequestParameter, value: unknown): GeneratedRequest {
  const operation: TestedOperation = {
    id: 'paint',
    method: 'get',
    pointer: '',
    path: '/paint',
    parameters: [given],
    body: undefined,
    responses: {},
    securitySchemes: [],
    rules: [],
  };
  const empty = { path: {}, query: {}, header: {}, cookie: {} };
  return { operation, ...empty, [given.in]: { [given.name]: value } };
}

test('serializes reserved characters, which express-openapi-validator rejects, and JSON parameters', () => {
  expect(serializeRequest(request(parameter({}), "a b&c='d'")).target).toBe(
    '/paint?color=a%20b%26c%3D%27d%27',
  );
  const json = parameter({ mediaType: 'application/json' });
  expect(serializeRequest(request(json, { R: 1 })).target).toBe('/paint?color=%7B%22R%22%3A1%7D');
});

test('isSerializable excludes values that a server would parse differently', () => {
  const inPath = parameter({ in: 'path', style: 'simple', explode: false });
  const inHeader = parameter({ in: 'header', style: 'simple', explode: false });
  for (const value of ['..', '.', 'a/b', '', null])
    expect(isSerializable(inPath, value), String(value)).toBe(false);
  for (const value of [' a', 'å', 'a\nb', '']) expect(isSerializable(inHeader, value), value).toBe(false);
  for (const value of [[], ['a,b'], [null]])
    expect(isSerializable(parameter({ explode: false }), value)).toBe(false);
  for (const value of ['a b', 7, true, ['a', 'b']]) expect(isSerializable(parameter({}), value)).toBe(true);
});

test('the curl command reproduces the request exactly, with credentials in variables', async () => {
  const seen: object[] = [];
  const base = await startListening(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    seen.push({
      method: req.method,
      url: req.url,
      headers: [req.headers.authorization, req.headers['x-empty'], req.headers['x-quoted']],
      body: Buffer.concat(chunks).toString('utf8'),
    });
    res.end();
  });
  const body = '{"it\'s":"å \\u0000 $HOME `ls` \\\\"}';
  const headers = { Authorization: 'Bearer secret', 'X-Empty': '', 'X-Quoted': `"it's"` };
  const line = toCurl(base, { method: 'PUT', target: "/a%2Fb/../c?x=1&key='$k'&token=t", headers, body }, [
    'authorization',
    'token',
  ]);
  expect(line).not.toMatch(/secret|''$/);
  await promisify(execFile)('bash', ['-c', line], {
    env: { ...process.env, AUTHORIZATION: 'Bearer secret', TOKEN: 't' },
  });
  expect(seen).toEqual([
    {
      method: 'PUT',
      url: "/a%2Fb/../c?x=1&key='$k'&token=t",
      headers: ['Bearer secret', '', `"it's"`],
      body,
    },
  ]);
});
