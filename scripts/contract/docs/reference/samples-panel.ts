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

/** Renders figures of which readers choose one. @param name what they choose, for screen readers */
function choice(
  name: string,
  figures: readonly (Shown & { short: string; isOutput?: boolean; isFailure?: boolean })[],
): string {
  const buttons = figures.map(
    ({ short }, at) =>
      `<button type="button" data-choose="${escapeHtml(short)}" aria-pressed="${at === 0}">${escapeHtml(short)}</button>`,
  );
  const parts = figures.map(({ short, ...figure }, at) =>
    codeFigure({ ...figure, attributes: ` data-choice="${escapeHtml(short)}"${at === 0 ? '' : ' hidden'}` }),
  );
  const switcher =
    figures.length > 1
      ? `<div class="choices" role="group" aria-label="${name}">${buttons.join('')}</div>\n`
      : '';
  return `<div class="choice">${switcher}${parts.join('')}</div>\n`;
}

/** Renders the request samples of an operation, with a switch between languages and a button that sends the request. */
export function requestPanel({ samples, request }: OperationSamples, canRun: boolean): string {
  const figures = samples.map(({ label, language, code }) => ({ short: label, label, language, text: code }));
  const run =
    canRun && request
      ? `<p class="run"><button type="button" data-run="${escapeHtml(JSON.stringify(request))}">Run</button> <span>The mock inside this page responds.</span></p>\n<div data-run-output aria-live="polite"></div>\n`
      : '';
  return choice('Language', figures) + run;
}

/** Renders the examples of the responses, the successful ones first, or the payload of an event. */
export const examplePanel = (contract: Contract, { kind, operation }: ReferenceEntry): string => {
  const { successful, errors } = examplesOf(contract, kind, operation);
  const figures = [...successful, ...errors].map((shown) => ({
    ...shown,
    short: shown.label.split(' ')[0] ?? '',
    isOutput: true,
    isFailure: errors.includes(shown),
  }));
  if (figures.length === 0) return '';
  return `<p class="examples">Example</p>\n${choice('Response', figures)}`;
};

/** Returns the examples as Markdown, for readers that are programs. */
export const exampleMarkdown = (contract: Contract, { kind, operation }: ReferenceEntry): Shown[] =>
  examplesOf(contract, kind, operation).successful;

function examplesOf(
  contract: Contract,
  kind: ReferenceEntry['kind'],
  { body, responses }: ReferenceEntry['operation'],
): { successful: Shown[]; errors: Shown[] } {
  if (kind === 'event') {
    const [content] = body?.content ?? [];
    return { successful: jsonExample('Event', content && exampleIn(contract, content.node)), errors: [] };
  }
  const examples = Object.entries(responses).map(([status, response]) => ({
    isSuccess: status.startsWith('2'),
    shown: jsonExample(labelOf(status, response), exampleOf(contract, response)),
  }));
  const of = (isSuccess: boolean) =>
    examples.flatMap((example) => (example.isSuccess === isSuccess ? example.shown : []));
  return { successful: of(true), errors: of(false) };
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
