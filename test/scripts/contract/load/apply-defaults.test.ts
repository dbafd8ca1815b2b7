import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const root = `openapi: 3.1.1
info: { title: Teams, version: 1.0.0 }
x-defaults:
  parameters: ['#/components/parameters/Trace']
  responses: { '500': '#/components/responses/Broken' }
  responsesWithBody: { '413': '#/components/responses/Broken' }
  headers: { X-Id: '#/components/headers/Id' }
  error: { schema: '#/components/schemas/Error', code: code }
paths:
  /teams: { $ref: parts/teams.yaml#/teams }
components:
  parameters: { Trace: { name: trace, in: header, schema: { type: string } } }
  responses: { Broken: { description: A mistake. } }
  headers: { Id: { schema: { type: string } } }
  schemas: { Error: { type: object } }
`;

const teams = `teams:
  get:
    responses:
      '200': { description: Teams., headers: { X-Id: { schema: { type: integer } } } }
      '404':
        description: No team.
        content:
          application/json:
            examples: { gone: { value: { code: 2 } }, unknown: { value: { code: 1 } } }
      '500': { description: Its own. }
  post:
    requestBody: { content: { application/json: { schema: {} } } }
    responses: { '201': { description: Created. } }
`;

test('paths, operations and responses have the defaults that they do not replace', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'parts'));
  await writeFile(join(folder, 'parts/teams.yaml'), teams);
  await writeFile(join(folder, 'openapi.yaml'), root);
  const { document } = await loadContract(join(folder, 'openapi.yaml'), { allowOutside: [folder] });
  const headers = { 'X-Id': { $ref: '#/components/headers/Id' } };
  const codes = { properties: { code: { enum: [1, 2], 'x-open-enum': true } } };
  expect(document).not.toHaveProperty('x-defaults');
  expect(document.paths?.['/teams']).toMatchObject({
    parameters: [{ $ref: '#/components/parameters/Trace' }],
    get: {
      responses: {
        '200': { headers: { 'X-Id': { schema: { type: 'integer' } } } },
        '404': {
          headers,
          content: {
            'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Error' }, codes] } },
          },
        },
        '500': { description: 'Its own.' },
      },
    },
    post: { responses: { '201': { headers }, '413': { $ref: '#/components/responses/Broken' } } },
  });
  expect(document.paths).not.toHaveProperty('/teams.get.responses.413');
});
