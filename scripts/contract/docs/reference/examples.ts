import type { Contract } from '../../model/contract.ts';
import type { OperationResponse } from '../../model/operation.ts';
import type { CodeFigure } from '../code-figure.ts';
import { firstSentence } from '../markdown.ts';
import type { CommonHeaders } from './common-headers.ts';
import type { ReferenceEntry } from './entries.ts';
import { exampleIn, textIn } from './nodes.ts';

/** Returns the examples of the responses, the successful ones first, or the payload of an event. */
export function examplesOf(
  contract: Contract,
  common: CommonHeaders,
  { kind, operation }: ReferenceEntry,
): CodeFigure[] {
  const { body, responses } = operation;
  if (kind === 'event') {
    const [content] = body?.content ?? [];
    return jsonExample('Event', content && exampleIn(contract, content.node));
  }
  const examples = Object.entries(responses).flatMap(([status, response]) =>
    jsonExample(status, exampleOf(contract, response)).map((example) => ({
      ...example,
      caption: labelOf(status, response),
      headers: headerLines(contract, common, response)
        .join('\n')
        // Narrow windows show the relation of each link.
        .replaceAll(/(?<=,) (?=<)|(?<=>;) /g, '\n  '),
      isRare: rareStatus.test(status),
      isFailure: !status.startsWith('2'),
    })),
  );
  return examples.sort((one, other) => Number(one.isFailure) - Number(other.isFailure));
}

/** Statuses that any operation may return, and that teach nothing about one. */
const rareStatus = /^(400|403|413|415|429|5..|default)$/i;

/** Returns examples of the headers that not every operation has, and that need no option of the request. */
const headerLines = (contract: Contract, common: CommonHeaders, { headers }: OperationResponse): string[] =>
  headers
    .filter(({ name, required }) => required && !common.isCommonInResponses(name))
    // The mock server sends the first example, and the last one shows most.
    .map(({ name, node }) => `${name}: ${exampleIn(contract, node, -1) ?? '…'}`);

const exampleOf = (contract: Contract, { content: [media] }: OperationResponse): unknown => {
  const example = media && exampleIn(contract, media.node);
  return Array.isArray(example) ? example.slice(0, 1) : example;
};

const labelOf = (status: string, { node }: OperationResponse): string =>
  `${status} ${firstSentence(textIn(node, 'description'))}`.trim();

/** Maximum number of characters of an example, so that pages of contracts with whole files as examples stay readable. */
const maxLength = 20_000;

function jsonExample(label: string, example: unknown): CodeFigure[] {
  if (example === undefined) return [];
  const json = JSON.stringify(example, null, 2);
  const text = json.length > maxLength ? `${json.slice(0, maxLength)}\n…` : json;
  return [{ label, language: 'json', text, isOutput: true }];
}
