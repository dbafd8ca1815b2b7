import { expect, test } from 'vitest';
import { documentedErrors } from '../../../server/contract/documented-errors.ts';

// own-cases.yaml has the bodies of documented errors.

test.each([
  ['/name', { pointer: '#/name' }],
  ['/a b~1c/0/ä#%', { pointer: '#/a%20b~1c/0/%C3%A4%23%25' }],
  ['/\ud800', { pointer: '#/%EF%BF%BD' }],
  ['body', { pointer: '#' }],
  ['query/n', { parameter: 'query/n' }],
  ['header/X-Key', { parameter: 'header/X-Key' }],
])('a problem document locates %s', (field, place) => {
  const violations = [{ field, message: 'is required' }];
  const response = documentedErrors.respond('validationFailed', { violations });
  expect(documentedErrors.body(response)).toMatchObject({
    status: response.status,
    errors: [{ detail: 'is required', ...place }],
  });
});
