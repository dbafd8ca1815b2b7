import { expect, test } from 'vitest';
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { operationsOf } from '../../../server/contract/operations.ts';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const args = { type: 'array', items: reference('Condition') };
const content = { 'application/json': { schema: reference('Condition') } };

/** A condition of a search, which contains others. Its kind is a constant that follows the conditions inside. */
const branchFor = (kind: string) => ({
  ...{ type: 'object', required: ['kind', 'args'] },
  properties: { args, kind: { const: kind } },
});

async function compile(union: 'oneOf' | 'anyOf') {
  const [operation] = operationsOf(
    compileContract({
      openapi: '3.1.1',
      info: { title: 'T', version: '1' },
      paths: {
        '/search': {
          post: { requestBody: { content }, responses: { '200': { description: 'Yes.', content } } },
        },
      },
      components: {
        schemas: {
          Condition: { [union]: [reference('All'), reference('Any'), { type: 'string' }] },
          All: branchFor('all'),
          Any: branchFor('any'),
        },
      },
    } as never),
  );
  if (!operation) throw new Error('The operation is missing.');
  return operation;
}

test.each(['oneOf', 'anyOf'] as const)(
  'the time for a nested %s grows with its depth only',
  async (union) => {
    const { validateRequestBody, validateBody } = await compile(union);
    let reads = 0;
    const nest = (levels: number, innermost: unknown): unknown =>
      levels === 0
        ? innermost
        : {
            args: [nest(levels - 1, innermost)],
            get kind() {
              reads += 1;
              return 'any';
            },
          };
    const workFor = (validate: (body: unknown) => unknown[], levels: number, innermost: unknown) => {
      reads = 0;
      const found = validate(nest(levels, innermost)).length;
      expect(found > 0).toBe(innermost !== 'a');
      return reads;
    };
    for (const validate of [
      (body: unknown) => validateRequestBody('application/json', body),
      (body: unknown) => validateBody('200', 'application/json', body),
    ])
      for (const innermost of ['a', 1])
        expect(workFor(validate, 16, innermost)).toBeLessThanOrEqual(2.6 * workFor(validate, 8, innermost));
  },
);
