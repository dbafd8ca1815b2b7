import { compileContract } from '../compile/compile-contract.ts';
import type { Contract } from '../model/contract.ts';

/**
 * Returns a sentence for each operation whose messages cannot be validated, with file, line and remedy: the middleware and the
 * mock refuse its requests. The other tools work with it.
 */
export async function unenforcedOperations(contract: Contract): Promise<string[]> {
  const { operations } = compileContract(contract.document);
  const reasons = new Map(operations.map(({ id, disabled }) => [id, disabled]));
  const found = contract.operations.map(async ({ id, pointer }) => {
    const reason = reasons.get(id);
    if (reason === undefined) return [];
    const { file, line, column } = await contract.locate(pointer);
    return [`${file}:${line}:${column} The middleware and the mock refuse all requests of ${id}. ${reason}`];
  });
  return (await Promise.all(found)).flat();
}
