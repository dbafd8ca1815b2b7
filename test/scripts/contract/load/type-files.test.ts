import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { expect, test } from 'vitest';
import { compileDocument } from '../../../../scripts/package/compile-document.ts';
import { contract } from '../../../../scripts/runtime-package/express.ts';
import { writeDocument } from '../../../support/load-document.ts';
import { startListening } from '../../../support/start-listening.ts';

const binary = { '3.0.3': { type: 'string', format: 'binary' }, '3.1.1': { contentMediaType: 'image/png' } };

/** Serves a contract whose form has one image and a list of others. */
async function serve(openapi: keyof typeof binary): Promise<string> {
  const image = binary[openapi];
  const schema = {
    type: 'object',
    required: ['image'],
    properties: { image: { $ref: '#/components/schemas/Image' }, others: { type: 'array', items: image } },
  };
  const post = {
    operationId: 'addImage',
    requestBody: { required: true, content: { 'multipart/form-data': { schema } } },
    responses: { 200: { description: 'Added.' } },
  };
  const document = {
    openapi,
    info: { title: 'Images', version: '1' },
    paths: { '/images': { post } },
    components: { schemas: { Image: image } },
  };
  const failed: ErrorRequestHandler = (error, _req, res, _next) =>
    void res.status(error.status).end(error.message);
  const added: RequestHandler = (_req, res) => void res.end();
  const app = express().use(contract(await compileDocument(await writeDocument(document))), added, failed);
  return `${await startListening(app)}/images`;
}

const form = (...names: string[]): FormData => {
  const made = new FormData();
  for (const name of names) made.append(name, new File(['x'], 'x.png', { type: 'image/png' }));
  return made;
};

test.each(['3.0.3', '3.1.1'] as const)(
  'a form of OpenAPI %s has one file, unless it has a list of them',
  async (version) => {
    const url = await serve(version);
    const send = async (...names: string[]) => {
      const response = await fetch(url, { method: 'POST', body: form(...names) });
      return [response.status, await response.text()];
    };
    expect(await send('image', 'others', 'others')).toEqual([200, '']);
    expect(await send('image', 'image')).toEqual([400, expect.stringContaining('image must be one file')]);
  },
);
