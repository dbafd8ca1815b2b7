import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import * as stock from 'express-openapi-validator';
import { beforeAll, expect, test } from 'vitest';
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { contract } from '../../../scripts/runtime-package/express.ts';
import { type Feature, featureContract, features } from '../../../scripts/runtime-package/stock-features.ts';
import { startListening } from '../../support/start-listening.ts';
import { afterAllTests } from '../../support/temporary-folder.ts';

const answers: Record<string, RequestHandler> = {
  valid: (_req, res) => void res.json({ id: 1 }),
  invalid: (_req, res) => void res.json({ id: 'x' }),
  status: (_req, res) => void res.status(418).json({ id: 1 }),
  text: (_req, res) => void res.type('text/plain').send('1'),
};

const failed: ErrorRequestHandler = ({ status = 500, errors }, _req, res, _next) => {
  res.status(status).json({ errors });
};

/** Starts the application behind middleware. Its routes return what they have received. */
async function startBehind(...middleware: RequestHandler[]): Promise<string> {
  const app = express().set('query parser', 'extended').use(express.json());
  for (const each of middleware) app.use(each);
  app.get(['/query', '/filtered'], (req, res) => void res.json(req.query));
  app.get('/items/:id', (req, res) => void res.json(req.params));
  app.get('/key', (_req, res) => void res.json({}));
  app.post('/accounts', (req, res) => {
    const { name, size } = req.body;
    if (name === 'leak') return void res.json({ name, secret: 's' });
    res.json({ name, size, ...(name === 'date' ? { at: new Date(0) } : {}) });
  });
  app.post(['/bodiless', '/pets'], (req, res) => void res.json(req.body));
  app.post('/files', (_req, res) => void res.json({}));
  app.get('/answers/:what', (req, res, next) => answers[req.params.what ?? '']?.(req, res, next));
  app.get('/ignored', (_req, res) => void res.json({ ignored: true }));
  app.use(failed);
  return startListening(app, afterAllTests);
}

const compiled = compileContract(featureContract);

const startOurs = () => startBehind(contract(compiled, { ignore: (path) => path === '/ignored' }));

const startTheirs = () =>
  startBehind(
    ...stock.middleware({
      // It changes the document.
      apiSpec: structuredClone(featureContract) as never,
      validateRequests: true,
      validateResponses: true,
      validateSecurity: { handlers: { key: () => true, queryKey: () => true } },
      ignorePaths: /^\/ignored/,
      fileUploader: {},
    }),
  );

function bodyOf({ parts, json, text }: Feature): FormData | string | undefined {
  if (!parts) return json === undefined ? text : JSON.stringify(json);
  const form = new FormData();
  for (const name of parts) form.append(name, name === 'file' ? new Blob(['x']) : 'a');
  return form;
}

/** Returns the status, and the body of a response that is no error. */
async function answerOf(base: string, feature: Feature) {
  const body = bodyOf(feature);
  const type = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {};
  const { path, method = body === undefined ? 'GET' : 'POST', headers } = feature;
  const sent = { method, headers: { ...type, ...headers }, ...(body === undefined ? {} : { body }) };
  const response = await fetch(base + path, sent);
  const content = await response.text();
  return [response.status, response.status < 400 ? JSON.parse(content) : undefined];
}

const bases = { ours: '', theirs: '' };

beforeAll(async () => {
  bases.ours = await startOurs();
  bases.theirs = await startTheirs();
});

test.each(features)('as express-openapi-validator, or as the README says: $name', async (feature) => {
  const [ours, theirs] = [await answerOf(bases.ours, feature), await answerOf(bases.theirs, feature)];
  // Otherwise, two applications that always fail would be the same.
  const isInvalidResponse = /becomes an error$|in a response is rejected$/.test(feature.name);
  expect(ours[0] === 500).toBe(isInvalidResponse);
  if (feature.difference === undefined) expect(ours).toEqual(theirs);
  else expect(ours).not.toEqual(theirs);
});

test('an empty JSON body, and one whose schema a discriminator selects, have other paths, as the guide says', async () => {
  const pathsOf = async (base: string, pet?: object) => {
    const post = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: pet ? JSON.stringify(pet) : '',
    };
    const path = pet ? '/pets' : '/accounts';
    const { errors }: { errors: { path: string }[] } = await (await fetch(base + path, post)).json();
    return errors.map(({ path }) => path);
  };
  expect([await pathsOf(bases.ours), await pathsOf(bases.theirs)]).toEqual([['/body'], ['/body/name']]);
  const wrong = { kind: 'dog', barks: 'no' };
  expect([await pathsOf(bases.ours, wrong), await pathsOf(bases.theirs, wrong)]).toEqual([
    ['/body/barks'],
    ['/barks'],
  ]);
  const cow = { kind: 'cow' };
  expect([await pathsOf(bases.ours, cow), await pathsOf(bases.theirs, cow)]).toEqual([
    ['/body/kind'],
    ['/pets'],
  ]);
});
