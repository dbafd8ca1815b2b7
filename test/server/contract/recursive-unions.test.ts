import { expect, test } from 'vitest';
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { operationsOf } from '../../../server/contract/operations.ts';
import { array, content, documentOf, object, reference, responses } from '../../support/schemas.ts';

const args = array(reference('Condition'));

/** A condition of a search, which contains others. Its kind is a constant that follows the conditions inside. */
const branchFor = (kind: string) => object({ args, kind: { const: kind } }, 'kind', 'args');

async function compile(union: 'oneOf' | 'anyOf') {
  const condition = reference('Condition');
  const post = { requestBody: content(condition), responses: responses(condition, 200) };
  const schemas = {
    Condition: { [union]: [reference('All'), reference('Any'), { type: 'string' }] },
    All: branchFor('all'),
    Any: branchFor('any'),
  };
  const document = documentOf({ '/search': { post } }, { components: { schemas } });
  const [operation = expect.fail()] = operationsOf(compileContract(document));
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
