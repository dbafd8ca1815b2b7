import { expect, test } from 'vitest';
import { writeDocument, writeFiles } from '../../../support/load-document.ts';
import { runCommand } from '../../../support/run-command.ts';

test('lint words violations of examples as all tools do', async () => {
  const schema = {
    ...{ type: 'object', required: ['id'], additionalProperties: false },
    properties: { id: {}, name: { type: 'string', minLength: 1 }, kind: { enum: ['a', 1] } },
  };
  const example = { name: '', kind: 'c', more: 1 };
  const get = {
    operationId: 'getA',
    responses: {
      200: { description: 'A', content: { 'application/json': { schema, example } } },
      // A schema can be true or false. Redocly expects an object.
      202: { description: 'B', content: { 'application/json': { schema: true } } },
    },
  };
  const info = { title: 'A', version: '1.0.0' };
  const api = await writeDocument({ openapi: '3.1.1', info, paths: { '/a': { get } } });
  const config = await writeFiles({
    'redocly.yaml': 'rules: { no-invalid-media-type-examples: error, struct: error }',
  });
  const { out } = await runCommand(['lint', '--api', api, '--config', config]);
  expect(out).not.toContain('boolean');
  const messages = out.match(/The example is invalid: .*/g);
  expect(messages?.toSorted()).toEqual([
    'The example is invalid: id is required.',
    'The example is invalid: kind must be one of: a, 1.',
    'The example is invalid: more is not allowed.',
    'The example is invalid: name must have at least 1 character.',
  ]);
});
