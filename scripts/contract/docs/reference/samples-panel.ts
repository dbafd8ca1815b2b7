import type { Contract } from '../../model/contract.ts';
import type { OperationResponse } from '../../model/operation.ts';
import { codeFigure } from '../code-figure.ts';
import { escapeHtml } from '../text.ts';
import type { ReferenceEntry } from './entries.ts';
import { exampleIn, textIn } from './nodes.ts';
import type { OperationSamples } from './samples.ts';

/** A code sample of the page. */
interface Shown {
  label: string;
  language: string;
  text: string;
}

/** Renders the request samples of an operation, with a switch between languages and a button that sends the request. */
export function requestPanel({ samples, request }: OperationSamples, canRun: boolean): string {
  const buttons = samples.map(
    ({ label }, at) =>
      `<button type="button" data-language-choice="${escapeHtml(label)}" aria-pressed="${at === 0}">${escapeHtml(label)}</button>`,
  );
  const figures = samples.map(({ label, language, code }, at) =>
    codeFigure({ text: code, language, label, attributes: at === 0 ? '' : ' hidden' }),
  );
  const run =
    canRun && request
      ? `<p class="run"><button type="button" data-run="${escapeHtml(JSON.stringify(request))}">Run</button> <span>The mock inside this page responds.</span></p>\n<div data-run-output aria-live="polite"></div>\n`
      : '';
  return `<div class="languages" role="group" aria-label="Language">${buttons.join('')}</div>\n${figures.join('')}${run}`;
}

/** Renders the example of a successful response, or the payload of an event; the examples of errors are folded. */
export function examplePanel(contract: Contract, { kind, operation }: ReferenceEntry): string {
  const { open, folded } = examplesOf(contract, kind, operation);
  const figures = (list: readonly Shown[]) =>
    list.map((shown) => codeFigure({ ...shown, isOutput: true })).join('');
  const errors =
    folded.length === 0 ? '' : `<details><summary>Error responses</summary>\n${figures(folded)}</details>\n`;
  return figures(open) + errors;
}

/** Returns the examples as Markdown, for readers that are programs. */
export const exampleMarkdown = (contract: Contract, { kind, operation }: ReferenceEntry): Shown[] =>
  examplesOf(contract, kind, operation).open;

function examplesOf(
  contract: Contract,
  kind: ReferenceEntry['kind'],
  { body, responses }: ReferenceEntry['operation'],
): { open: Shown[]; folded: Shown[] } {
  if (kind === 'event') {
    const [content] = body?.content ?? [];
    return { open: jsonExample('Event', content && exampleIn(contract, content.node)), folded: [] };
  }
  const examples = Object.entries(responses).map(([status, response]) => ({
    isSuccess: status.startsWith('2'),
    shown: jsonExample(labelOf(status, response), exampleOf(contract, response)),
  }));
  const of = (isSuccess: boolean) =>
    examples.flatMap((example) => (example.isSuccess === isSuccess ? example.shown : []));
  return { open: of(true), folded: of(false) };
}

const exampleOf = (contract: Contract, { content: [media] }: OperationResponse): unknown => {
  const example = media && exampleIn(contract, media.node);
  return Array.isArray(example) ? example.slice(0, 1) : example;
};

function labelOf(status: string, { node }: OperationResponse): string {
  const [first = ''] = textIn(node, 'description').split(/(?<=[.!?])\s/);
  return `${status} ${first.trim()}`.trim();
}

/** Maximum number of characters of an example, so that pages of contracts with whole files as examples stay readable. */
const maxLength = 20_000;

function jsonExample(label: string, example: unknown): Shown[] {
  if (example === undefined) return [];
  const text = JSON.stringify(example, null, 2);
  return [
    { label, language: 'json', text: text.length > maxLength ? `${text.slice(0, maxLength)}\n…` : text },
  ];
}
