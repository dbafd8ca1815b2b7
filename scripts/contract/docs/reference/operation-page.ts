import { objectOf } from '../../../../server/lib/json-object.ts';
import { markdownBlock } from '../../../lib/markdown-text.ts';
import type { Subscription } from '../../config.ts';
import type { Contract } from '../../model/contract.ts';
import type { OperationResponse } from '../../model/operation.ts';
import { type CodeFigure, choicePanel } from '../code-figure.ts';
import type { Page } from '../layout.ts';
import type { LinkTo } from '../links.ts';
import { firstSentence, headingHtml, plainText, renderFragment, type Section } from '../markdown.ts';
import { breakable, escapeHtml, toSlug, uniqueNames } from '../text.ts';
import type { CommonHeaders } from './common-headers.ts';
import { type ReferenceEntry, tagId } from './entries.ts';
import { exampleIn, textIn } from './nodes.ts';
import { operationText, scopesText, type TextBlock, type TextContext } from './operation-text.ts';
import { type AnchoredProperty, propertiesHtml, propertiesMarkdown, withAnchors } from './property-list.ts';
import { type PanelContext, requestPanel } from './request-panel.ts';
import type { SampleParts } from './sample-request.ts';
import type { SamplesOf } from './samples.ts';

export interface OperationPageContext extends TextContext, PanelContext {
  samplesOf: SamplesOf;
  /** Converts a link of the contract to one of the page. */
  linkTo: LinkTo;
  /** Says how to subscribe to a type of event, if the contract's project knows it. */
  subscription: ((type: string) => Subscription) | undefined;
}

/** Renders the page of an operation or an event: text beside samples. */
export function operationPage(
  context: OperationPageContext,
  entry: ReferenceEntry,
): Page & Required<Pick<Page, 'markdown' | 'sections'>> {
  const { contract, linkTo, samplesOf } = context;
  const { kind, href, method, path, tag, title, description, operation } = entry;
  const samples = kind === 'event' ? undefined : samplesOf(operation);
  const examples = examplesOf(contract, context.common, entry);
  const unique = uniqueNames();
  const subscribe = kind === 'event' ? subscribeBlocks(context, path) : [];
  const blocks = [...subscribe, ...operationText(context, entry)].map((block) => ({
    ...block,
    properties: withAnchors(block.properties, unique),
  }));
  const scopes = scopesText(operation);
  const endpoint = `<p><span class="method ${escapeHtml(method)}">${escapeHtml(method)}</span> <code>${breakable(escapeHtml(path))}</code></p>\n${scopes === '' ? '' : `<p class="small">${renderFragment(scopes, linkTo)}</p>\n`}`;
  const htmlOf = (shown: readonly AnchoredBlock[]) =>
    shown.map((block) => blockHtml(block, linkTo)).join('\n');
  const { first = [], later = [] } = Object.groupBy(blocks, ({ isFirst }) => (isFirst ? 'first' : 'later'));
  const html = `<div class="operation">
<div class="head">
<p class="small"><a href="../reference.html">Reference</a>${tag === '' ? '' : ` / <a href="../reference.html#${tagId(tag)}">${escapeHtml(tag)}</a>`}</p>
<h1>${breakable(escapeHtml(title))}</h1>
${kind === 'event' ? '' : endpoint}<div>${renderFragment(description, linkTo)}</div>
${htmlOf(first)}
</div>
<aside class="samples" aria-label="Samples">
${samples ? requestPanel(samples, context) : ''}${examples.length > 0 ? `<details open><summary>Example</summary>${choicePanel('Response', examples)}</details>` : ''}</aside>
<div class="rest">
${htmlOf(later)}
</div>
</div>
`;
  const code = [...(samples?.samples ?? []), ...examples.filter(({ isFailure }) => !isFailure)];
  const text = [
    `# ${title}`,
    `\`${kind === 'event' ? 'event' : method.toUpperCase()} ${path}\``,
    ...[scopes, description].filter((each) => each !== ''),
    ...blocks.map(({ title, text, properties, samples = [] }) =>
      `## ${title}\n\n${text}\n\n${samples.slice(0, 1).map(codeMarkdown).join('\n\n')}${propertiesMarkdown(properties)}`.trim(),
    ),
    ...code.map((figure) => `## ${figure.label}\n\n${codeMarkdown(figure)}`),
  ].join('\n\n');
  return {
    href,
    title,
    description: kind === 'event' ? 'Event' : `${method.toUpperCase()} ${path}`,
    html,
    sections: blocks.flatMap(({ properties }) => sectionsOf(properties)),
    markdown: {
      file: href.replace(/\.html$/, '.md'),
      text: `${linksFromFolder(text)}\n`,
      group: kind === 'event' ? 'Events' : 'Operations',
    },
  };
}

/** Returns code as Markdown, in which tabs would become spaces. */
const codeMarkdown = ({ language, text }: CodeFigure): string =>
  markdownBlock(text.replaceAll('\t', '    ').split('\n'), language).join('\n');

/** Says how to subscribe to a type of event. */
function subscribeBlocks(
  { contract, samplesOf, subscription }: OperationPageContext,
  type: string,
): TextBlock[] {
  const { operation: id, body, text } = subscription?.(type) ?? {};
  const operation = contract.operations.find((each) => each.id === id);
  if (!operation || text === undefined) return [];
  const withType = (shown: SampleParts) => ({ ...shown, body: { ...objectOf(shown.body), ...body } });
  const { samples } = samplesOf(operation, withType);
  return [{ title: 'Subscribe', text, properties: [], isFirst: true, samples }];
}

/** Changes the links of Markdown that is written into a folder. Links with a scheme and to sections stay. */
const linksFromFolder = (markdown: string): string =>
  markdown.replaceAll(/\]\((?![a-z][\w+.-]*:|#|\/)/gi, '](../');

/** Returns the sections that the search finds: one for each property, none for a status. */
const sectionsOf = (properties: readonly AnchoredProperty[]): Section[] =>
  properties.flatMap(({ id, name, type, description, properties: inner }) => [
    ...(type === '' ? [] : [{ id, title: name, depth: 3, text: plainText(description) }]),
    ...sectionsOf(inner),
  ]);

type AnchoredBlock = Omit<TextBlock, 'properties'> & { properties: readonly AnchoredProperty[] };

function blockHtml(
  { title, text, properties, isFolded, samples = [] }: AnchoredBlock,
  linkTo: LinkTo,
): string {
  const panel = samples.length > 0 ? choicePanel('Language', samples) : '';
  const html = `${text === '' ? '' : `<div>${renderFragment(text, linkTo)}</div>`}${panel}${propertiesHtml(properties, linkTo)}`;
  if (isFolded) return `<details><summary>${escapeHtml(title)}</summary>${html}</details>`;
  return headingHtml(2, toSlug(title), escapeHtml(title), title) + html;
}

/** Returns the examples of the responses, the successful ones first, or the payload of an event. */
function examplesOf(
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
