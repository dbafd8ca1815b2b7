import { securedContractOf } from '../../../server/contract/security-schemes.ts';
import { compileContract } from '../compile/compile-contract.ts';
import type { Note } from '../load/diagnosis.ts';
import type { Contract } from '../model/contract.ts';

/**
 * Returns a note about each operation whose messages or credentials cannot be validated: the middleware, and the mock in the first
 * case, refuse its requests. The other tools work with it.
 */
export function unenforcedOperations({ document, operations }: Contract): Note[] {
  const compiled = compileContract(document);
  const inMock = new Map(compiled.operations.map(({ id, disabled }) => [id, disabled]));
  const secured = securedContractOf(compiled).contract.operations;
  const inMiddleware = new Map(secured.map(({ id, disabled }) => [id, disabled]));
  return operations.flatMap(({ id, pointer }) => {
    const reason = inMiddleware.get(id);
    if (reason === undefined) return [];
    const who =
      inMock.get(id) === undefined ? 'The middleware refuses' : 'The middleware and the mock refuse';
    return [{ pointer, sentence: `${who} all requests of ${id}. ${reason}` }];
  });
}
