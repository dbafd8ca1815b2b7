import type { ConformanceReport } from '../../testing/conformance/run.ts';
import { validateExamples } from '../check/checks/examples.ts';
import type { ContractConfig } from '../config.ts';
import { locateNote, type Note } from '../load/diagnosis.ts';
import { loadContract } from '../load/load-contract.ts';
import type { Contract } from '../model/contract.ts';
import { explosivePatterns } from './explosive-patterns.ts';
import { testMock } from './mock-conformance.ts';
import { toolFailures } from './tool-failures.ts';
import { unenforcedOperations } from './unenforced-operations.ts';

/** A summary of a contract, and the parts of it that do not work. */
export interface ContractExamination {
  title: string;
  version: string;
  operations: number;
  /** A text for each part that does not work with a tool, or that the tools read differently: file, line, tool and cause. */
  limits: string[];
}

/**
 * Finds what does not work with a contract: it compiles all that the middleware, the mock and the generated code would use,
 * generates the files, the portal and examples, validates the examples, and sends valid requests of each operation to the mock.
 * @param api path of the contract's root file
 * @param config the settings of the project, and what the contract may read
 * @param onProgress called with what is done
 * @throws Error naming file, line and remedy if the contract is refused
 */
export async function examineContract(
  api: string,
  config: ContractConfig,
  onProgress: (text: string) => void = () => {},
): Promise<ContractExamination> {
  const said: string[] = [];
  const contract = await loadContract(api, { ...config, onIgnored: (sentence) => said.push(sentence) });
  const { document, operations } = contract;
  const explosive = explosivePatterns(document);
  const quiet = { ...config, onIgnored: () => {} };
  const unenforced = unenforcedOperations(contract);
  const notes = [...unenforced, ...explosive];
  // Generated values and examples would be matched with these patterns.
  if (explosive.length > 0)
    notes.push({ sentence: 'Requests and examples are examined when these patterns are rewritten.' });
  else {
    notes.push(...(await toolFailures(api, contract, quiet, onProgress)));
    const tested = await notesOfTests(contract, config, onProgress);
    const known = new Set(unenforced.map(({ pointer }) => pointer));
    notes.push(...tested.filter(({ pointer }) => pointer === undefined || !known.has(pointer)));
    notes.push(...invalidExamples(contract));
  }
  return {
    title: document.info?.title ?? '',
    version: document.info?.version ?? '',
    operations: operations.length,
    limits: [...said, ...(await Promise.all(notes.map((note) => locateNote(api, note, contract.locate))))],
  };
}

/** Finds the operations and parts for which `test` can generate no requests, and those for which it and the mock disagree. */
async function notesOfTests(
  contract: Contract,
  config: ContractConfig,
  onProgress: (text: string) => void,
): Promise<Note[]> {
  const pointers = new Map(contract.operations.map(({ id, pointer }) => [id, pointer]));
  /** @param part the ID of an operation, which the name of a part may follow */
  const placed = (part: string, sentence: string): Note => {
    const pointer = pointers.get(part) ?? pointers.get(part.replace(/ .*$/s, ''));
    return pointer === undefined ? { sentence } : { pointer, sentence };
  };
  const report = await testMock(contract, config, { phases: ['examples'], runs: 0, onProgress }).catch(
    (error: Error) => error,
  );
  if (report instanceof Error) return [{ sentence: `test fails: ${report.message}` }];
  return [...untestedParts(report), ...disagreements(report, contract)].map(([part, sentence]) =>
    placed(part, sentence),
  );
}

/** The part that a sentence is about, and the sentence. */
type About = [part: string, sentence: string];

const untestedParts = ({ gaps, ended }: ConformanceReport): About[] => [
  ...gaps.unmade.map(
    ({ operation, reason }): About => [operation, `test can generate no request for ${operation}: ${reason}`],
  ),
  // Unknown formats are among the ignored parts of the contract.
  ...gaps.unsupported
    .filter(({ keyword }) => !keyword.startsWith('format '))
    .map(
      ({ part, keyword, at }): About => [
        part,
        keyword.includes('/')
          ? `test sends no ${part} of the media type ${keyword}.`
          : `test ignores the keyword ${keyword}: ${part}, at ${at}.`,
      ],
    ),
  ...(ended?.unfinished ?? []).map(
    (operation): About => [operation, `test did not reach ${operation}: ${ended?.detail}`],
  ),
];

/** Maximum number of findings about one operation: most have the same cause. */
const maxFindings = 2;

const isSuccess = (status: string): boolean => /^([23]|default$)/.test(status);

function disagreements({ findings, gaps }: ConformanceReport, { operations }: Contract): About[] {
  const byOperation = Map.groupBy(findings, ({ operation }) => operation);
  const unmade = new Set(gaps.unmade.map(({ operation }) => operation));
  // An operation that documents errors only responds with them.
  const successful = new Set(
    operations.filter(({ responses }) => Object.keys(responses).some(isSuccess)).map(({ id }) => id),
  );
  return [
    ...[...byOperation].flatMap(([operation, own]) =>
      [...new Set(own.map(({ message }) => message))]
        .slice(0, maxFindings)
        .map((message): About => [operation, `test and mock disagree about ${operation}: ${message}.`]),
    ),
    ...gaps.neverAccepted
      .map(({ operation }) => operation)
      .filter((id) => !byOperation.has(id) && !unmade.has(id) && successful.has(id))
      .map((id): About => [id, `The mock accepts no request of ${id}.`]),
  ];
}

const invalidExamples = (contract: Contract): Note[] =>
  validateExamples(contract)
    .filter(({ problems }) => problems.length > 0)
    .map(({ path, where, problems }) => ({
      pointer: path,
      sentence: `The example of ${where} is invalid, so the mock generates a value: ${problems[0]}`,
    }));
