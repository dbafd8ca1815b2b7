import { spacesOf } from '../../testing/conformance/request-spaces.ts';
import { operationsOf } from '../../testing/requests/operations.ts';
import { createSchemaContext } from '../../testing/schema-values/schema-context.ts';
import { validateExamples } from '../check/validate-examples.ts';
import type { DocumentScope } from '../load/document-files.ts';
import { loadContract } from '../load/load-contract.ts';
import { explosivePatterns } from './explosive-patterns.ts';

/** A summary of a contract, and the parts of it that the tools leave out. */
export interface ContractExamination {
  title: string;
  version: string;
  operations: number;
  /** A sentence for each part that a tool leaves out. */
  limits: string[];
}

/**
 * Finds the parts of a contract that the tools ignore or cannot generate requests for, patterns that can block the
 * process, and examples that are invalid.
 * @param api path of the contract's root file
 * @param scope what the contract may read
 * @throws Error naming file, line and remedy if the contract is invalid
 */
export async function examineContract(api: string, scope: DocumentScope): Promise<ContractExamination> {
  const ignored: string[] = [];
  const contract = await loadContract(api, {
    ...scope,
    onIgnored: (sentence) => ignored.push(sentence),
  });
  const { document } = contract;
  const context = createSchemaContext(contract.view('request').document);
  const operations = operationsOf(context);
  const explosive = explosivePatterns(document);
  // Generated values and examples would be matched with these patterns.
  const isSafe = explosive.length === 0;
  const gaps = isSafe
    ? (await spacesOf(context, operations, () => true)).gaps
    : { unmade: [], unsupported: [] };
  const invalid = isSafe ? validateExamples(contract).filter(({ problems }) => problems.length > 0) : [];
  return {
    title: document.info?.title ?? '',
    version: document.info?.version ?? '',
    operations: operations.length,
    limits: [
      ...ignored,
      ...gaps.unmade.map(
        ({ operation, reason }) => `No request can be generated for ${operation}: ${reason}`,
      ),
      ...gaps.unsupported.map(
        ({ part, keyword, at }) => `The keyword ${keyword} is ignored: ${part}, at ${at}`,
      ),
      ...explosive,
      ...(isSafe ? [] : ['Requests and examples are examined when these patterns are rewritten.']),
      ...invalid.map(({ where, problems }) => `The example of ${where} is invalid: ${problems[0]}`),
    ],
  };
}
