import { expect, onTestFinished, test } from 'vitest';
import { serveRoutes } from '../../../support/implementations.ts';
import { writeDocument } from '../../../support/load-document.ts';

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
  const url = await serveRoutes(await writeDocument(document), onTestFinished, () => ({ status: 200 }));
  return `${url}/images`;
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
