import { once } from '../../lib/once.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { basePathsOf } from './base-paths.ts';
import type { Operation } from './operation.ts';
import { readOperations } from './read-operations.ts';
import { type MarkedProperties, viewFor } from './read-write-views.ts';
import { acceptedByReaders } from './reader-view.ts';
import { createReferences, type References } from './references.ts';

/** A location in a file, for messages and editors. */
export interface SourceLocation {
  /** Relative to the working directory. */
  file: string;
  /** Line number, from 1. */
  line: number;
  column: number;
}

/**
 * A view of a contract: requests without `readOnly` properties, responses without `writeOnly` properties, or what readers
 * of responses accept (unknown properties, and unknown values of open enumerations).
 */
export type ContractView = 'request' | 'response' | 'reader';

/** A contract, as all tools read it. */
export interface Contract extends References {
  /** A bundled OpenAPI 3.1 document. */
  readonly document: OpenApiDocument;
  /** The paths before those of the operations, of all servers of the document. @throws Error if there are too many */
  readonly basePaths: readonly string[];
  readonly operations: readonly Operation[];
  /** The path of a webhook is its name. */
  readonly webhooks: readonly Operation[];
  /** Returns the file and line of a part. @param pointer JSON Pointer into the document */
  locate(pointer: string): Promise<SourceLocation>;
  /** Returns a view of the contract. Each view is made once. @param marked what to do with the properties left out */
  view(kind: ContractView, marked?: MarkedProperties): Contract;
}

/**
 * Reads a document. Its operations are read when they are needed.
 * @param document a bundled OpenAPI 3.1 document, which must not change
 * @param locate returns the file and line of a part, if the document was read from files
 */
export function createContract(
  document: OpenApiDocument,
  locate: Contract['locate'] = async () => {
    throw new Error('The contract was not read from files.');
  },
): Contract {
  const references = createReferences(document);
  const basePaths = once(() => basePathsOf(document.servers));
  const read = (kind: 'paths' | 'webhooks') => readOperations(document, { references, basePaths, kind });
  const operations = once(() => read('paths'));
  const webhooks = once(() => read('webhooks'));
  const views = new Map<string, Contract>();
  return {
    document,
    get basePaths() {
      return basePaths();
    },
    get operations() {
      return operations();
    },
    get webhooks() {
      return webhooks();
    },
    ...references,
    locate,
    view(kind, marked = 'left out') {
      const key = `${kind} ${marked}`;
      const made = views.get(key) ?? createContract(viewOf(document, kind, marked), locate);
      views.set(key, made);
      return made;
    },
  };
}

const viewOf = (document: OpenApiDocument, kind: ContractView, marked: MarkedProperties): OpenApiDocument =>
  kind === 'reader'
    ? { ...document, ...acceptedByReaders({ ...document }) }
    : { ...document, ...viewFor(kind === 'request' ? 'requests' : 'responses', document, marked) };
