import { expect, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { examineContract } from '../../../../scripts/contract/doctor/examine-contract.ts';
import { explosivePatterns } from '../../../../scripts/contract/doctor/explosive-patterns.ts';

const documentWith = (schema: object) => ({ components: { schemas: { A: schema } } });

test.each(['^(a|aa)+$', '^(?:\\w+\\s?)*$', '(x+x+)+y', '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', '\\s+$'])(
  'warns of a pattern that can explode: %s',
  (pattern) => {
    expect(explosivePatterns(documentWith({ type: 'string', pattern }))).toEqual([
      {
        pointer: '/components/schemas/A/pattern',
        sentence: expect.stringContaining(`The pattern ${pattern} at /components/schemas/A/pattern `),
      },
    ]);
  },
);

test.each([{ patternProperties: { '\\s+$': {} } }, { propertyNames: { pattern: '\\s+$' } }])(
  'warns of a pattern of names: %j',
  (schema) => {
    expect(explosivePatterns(documentWith(schema))).toHaveLength(1);
  },
);

test('accepts linear patterns, and properties and data with the name pattern', () => {
  const patterns = ['^[a-z0-9]+(-[a-z0-9]+)*$', '^\\p{L}{1,40}$', '^#[0-9a-f]{3,8}$', '^[^@]+@[^@]+$'];
  const safe = patterns.flatMap((pattern) => explosivePatterns(documentWith({ pattern })));
  const properties = { pattern: { type: 'string', enum: ['(a|aa)+$'], example: { pattern: '^(a|aa)+$' } } };
  expect([...safe, ...explosivePatterns(documentWith({ properties }))]).toEqual([]);
});

test('finds no explosive pattern in our contract', async () => {
  const { limits } = await examineContract('openapi/openapi.yaml', contractConfig);
  expect(limits).toEqual([]);
});
