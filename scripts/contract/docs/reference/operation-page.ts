import { markdownBlock } from '../../../lib/markdown-text.ts';
import type { LinkTo } from '../links.ts';
import { renderFragment } from '../markdown.ts';
import { escapeHtml, toSlug } from '../text.ts';
import type { ReferenceEntry } from './entries.ts';
import { operationText, type TextBlock, type TextContext } from './operation-text.ts';
import { tagId } from './reference-page.ts';
import type { SamplesOf } from './samples.ts';
import { exampleMarkdown, examplePanel, requestPanel } from './samples-panel.ts';

export interface OperationPageContext extends TextContext {
  samplesOf: SamplesOf;
  /** Converts a link of the contract to one of the page. */
  linkTo: LinkTo;
  /** Whether the portal contains the mock that runs inside pages. */
  hasPageMock: boolean;
}

/**
 * Renders the page of an operation or an event: text beside samples.
 * @returns the HTML, and the same text as Markdown
 */
export function operationPage(
  context: OperationPageContext,
  entry: ReferenceEntry,
): { html: string; markdown: string } {
  const { contract, linkTo, samplesOf, hasPageMock } = context;
  const { id, kind, method, path, tag, title, description, operation } = entry;
  const samples = kind === 'event' ? undefined : samplesOf(operation);
  const blocks = operationText(context, entry);
  const place = `<p class="place"><a href="../reference.html">Reference</a>${tag === '' ? '' : ` / <a href="../reference.html#${tagId(tag)}">${escapeHtml(tag)}</a>`}</p>`;
  const tryIt =
    kind === 'event'
      ? ''
      : ` <a class="button" href="../console.html#${escapeHtml(id)}">Open in the console</a>`;
  const html = `<div class="operation">
<div class="head">
${place}
<h1>${escapeHtml(title)}</h1>
<p class="endpoint"><span class="method ${escapeHtml(method)}">${escapeHtml(method)}</span> <code>${escapeHtml(path)}</code>${tryIt}</p>
<div>${renderFragment(description, linkTo)}</div>
</div>
<aside class="samples" aria-label="Samples">
${samples ? requestPanel(samples, hasPageMock) : ''}${examplePanel(contract, entry)}</aside>
<div class="rest">
${blocks.map((block) => blockHtml(block, linkTo)).join('\n')}
</div>
</div>
`;
  const code = [
    ...(samples?.samples.map(({ label, language, code }) => ({ label, language, text: code })) ?? []),
    ...exampleMarkdown(contract, entry),
  ];
  const markdown = [
    `# ${title}`,
    `\`${kind === 'event' ? 'event' : method.toUpperCase()} ${path}\``,
    ...(description === '' ? [] : [description]),
    ...blocks.map(({ title, markdown }) => (title === '' ? markdown : `## ${title}\n\n${markdown}`)),
    ...code.map(
      ({ label, language, text }) => `## ${label}\n\n${markdownBlock(text.split('\n'), language).join('\n')}`,
    ),
  ];
  return { html, markdown: `${markdown.join('\n\n')}\n` };
}

function blockHtml({ title, kind, markdown }: TextBlock, linkTo: LinkTo): string {
  const text = renderFragment(markdown, linkTo);
  const name = escapeHtml(title);
  if (kind === 'folded') return `<details><summary>${name}</summary><p>${text}</p></details>`;
  const id = toSlug(title);
  const heading =
    title === ''
      ? ''
      : `<h2 id="${id}">${name} <a class="anchor" href="#${id}" aria-label="Link to section: ${name}">#</a></h2>\n`;
  return `${heading}<div class="${kind}">${text}</div>`;
}
