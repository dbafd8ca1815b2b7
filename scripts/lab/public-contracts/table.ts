import { nameOfDocument } from './documents.ts';
import type { ToolResult } from './run-documents.ts';

const marks = { works: '✔', refused: 'refused', failed: '✘' } as const;

/** Formats a table of documents and tools as Markdown, with the message about each document that was rejected or failed. */
export function formatTable(results: readonly ToolResult[], tools: readonly string[]): string {
  const byDocument = Map.groupBy(results, ({ document }) => document);
  const rows = [...byDocument].map(([document, own]) => {
    const cells = tools.map((tool) => {
      const state = own.find((each) => each.tool === tool)?.state;
      return state === undefined ? '' : marks[state];
    });
    return `| ${[nameOfDocument(document), ...cells, sentenceOf(own)].join(' | ')} |`;
  });
  return [
    `| document | ${tools.join(' | ')} | |`,
    `|---|${'---|'.repeat(tools.length + 1)}`,
    ...rows,
    '',
    summary(results),
  ].join('\n');
}

function sentenceOf(results: readonly ToolResult[]): string {
  const { message = '', state, tool } = results.find((each) => each.state !== 'works') ?? {};
  const text = message.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 160);
  return state === 'failed' ? `${tool}: ${text}` : text;
}

/** Counts the documents by their worst state. */
export function summary(results: readonly ToolResult[]): string {
  const byDocument = [...Map.groupBy(results, ({ document }) => document).values()];
  const has = (state: ToolResult['state']) => (own: ToolResult[]) => own.some((each) => each.state === state);
  const failed = byDocument.filter(has('failed')).length;
  const refused = byDocument.filter((own) => !has('failed')(own) && has('refused')(own)).length;
  return `${byDocument.length} documents: ${byDocument.length - failed - refused} work with every tool, ${refused} are refused, ${failed} fail.`;
}
