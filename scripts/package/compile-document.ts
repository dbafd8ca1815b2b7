import '../../server/lib/assert-node.mjs';
import type { ContractModule } from '../../server/contract/compiled-contract.ts';
import { compileContract } from '../contract/compile/compile-contract.ts';
import { withoutReferencesInData } from '../contract/load/references-in-data.ts';
import { findExternalReference } from '../contract/load/visit-objects.ts';

/**
 * Loads and compiles a contract in memory: for development, and for contracts that change while a server runs.
 * @param document the path of the root file, or a bundled OpenAPI 3.1 document
 * @param scope folders outside of the project that references may lead into
 * @throws Error that names file, line and remedy if the contract cannot be used
 * @example
 * app.use(contract(await compileDocument('openapi.yaml'), { handlers }));
 */
export async function compileDocument(
  document: string | { openapi: string },
  scope: { allowOutside?: readonly string[] } = {},
): Promise<ContractModule> {
  if (typeof document === 'string') {
    // Most of the time and memory of a start: only files need what reads them.
    const { loadContract } = await import('../contract/load/load-contract.ts');
    return compileContract((await loadContract(document, scope)).document);
  }
  const found = findExternalReference(withoutReferencesInData(document));
  if (found === undefined) return compileContract(document);
  throw new Error(
    `The document has the reference ${found.reference} at ${found.pointer || '/'}. Bundle it first, or pass the path of its file.`,
  );
}
