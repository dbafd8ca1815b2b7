import hljs from 'highlight.js';
import type { Contract } from '../../model/contract.ts';
import type { Operation, Parameter, RequestBody } from '../../model/operation.ts';
import { renderFragment } from '../markdown.ts';
import { escapeHtml } from '../text.ts';
import type { ReferenceEntry } from './entries.ts';
import { exampleIn, textIn } from './nodes.ts';
import type { SamplesOf } from './samples.ts';
import { schemaRows, typeText } from './schema-rows.ts';

export interface SectionContext {
  contract: Contract;
  samplesOf: SamplesOf;
  /** Converts a link of the contract to one of the portal. */
  linkTo: (href: string) => string;
}

/** An operation or an event, with its entry. */
export interface Described {
  entry: ReferenceEntry;
  operation: Operation;
  /** Anchors of other methods of the same event. */
  others: readonly string[];
}

/** Renders an operation or an event: purpose, samples, parameters, bodies. */
export function operationSection(context: SectionContext, described: Described): string {
  const { entry, operation, others } = described;
  const isEvent = entry.kind === 'event';
  const title = isEvent ? entry.path : entry.title;
  const endpoint = isEvent
    ? `<p class="endpoint"><span class="method">EVENT</span> <code>${escapeHtml(entry.path)}</code></p>`
    : `<p class="endpoint"><span class="method">${entry.method.toUpperCase()}</span> <code>${escapeHtml(entry.path)}</code> <a href="console.html#${escapeHtml(entry.id)}">Try it</a></p>`;
  const samples = isEvent ? undefined : context.samplesOf(operation);
  return [
    `<section class="operation">`,
    ...others.map((id) => `<span id="${escapeHtml(id)}"></span>`),
    `<h3 id="${escapeHtml(entry.id)}">${escapeHtml(title)} <a class="anchor" href="#${escapeHtml(entry.id)}" aria-label="Link to section: ${escapeHtml(title)}">#</a></h3>`,
    endpoint,
    `<div>${renderFragment(textIn(operation.node, 'description'), context.linkTo)}</div>`,
    samples ? code('ts', samples.typescript, 'TypeScript') + code('sh', samples.curl, 'curl') : '',
    parameterTable(context, isEvent ? [] : operation.parameters),
    ...bodyTables(context, operation.body, isEvent),
    ...(isEvent ? [] : responseParts(context, operation)),
    '</section>',
  ].join('\n');
}

const code = (language: string, text: string, label: string): string => {
  const highlighted = hljs.getLanguage(language)
    ? hljs.highlight(text, { language }).value
    : escapeHtml(text);
  const kind = label === 'Response' || label === 'Event' ? ' answer' : '';
  return `<figure class="code${kind}" data-language="${label}"><pre tabindex="0"><code>${highlighted}</code></pre></figure>`;
};

function table(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const cells = (tag: string, row: readonly string[]) =>
    row.map((cell) => `<${tag}>${cell}</${tag}>`).join('');
  return `<h4>${caption}</h4>\n<div class="table" tabindex="0" role="region" aria-label="${caption}"><table><thead><tr>${cells('th', head)}</tr></thead><tbody>\n${rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n')}\n</tbody></table></div>`;
}

const nameCell = (name: string, isRequired: boolean): string =>
  `<code>${escapeHtml(name)}</code>${isRequired ? ' <span class="required">required</span>' : ''}`;

function parameterTable({ contract, linkTo }: SectionContext, parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ node, ...parameter }) => [
    nameCell(parameter.name, parameter.required),
    escapeHtml(parameter.in),
    escapeHtml(typeText(contract, node.schema ?? {})),
    renderFragment(textIn(node, 'description'), linkTo),
  ]);
  return table('Parameters', ['Name', 'In', 'Type', 'Description'], rows);
}

function bodyTables(
  { contract, linkTo }: SectionContext,
  body: RequestBody | undefined,
  isEvent: boolean,
): string[] {
  return (body?.content ?? []).flatMap(({ mediaType, node }) => {
    const rows = schemaRows(contract, node.schema, isEvent ? 'response' : 'request').map((row) => [
      nameCell(row.name, row.isRequired),
      escapeHtml(row.type),
      renderFragment(row.description, linkTo),
    ]);
    const caption = isEvent ? 'Payload' : `Request body (${escapeHtml(mediaType)})`;
    const example = isEvent ? exampleIn(contract, node) : undefined;
    return [
      example === undefined ? '' : code('json', JSON.stringify(example, null, 2), 'Event'),
      table(caption, ['Property', 'Type', 'Description'], rows),
    ];
  });
}

/** The properties of successful responses are open; the other responses take one line each. */
function responseParts({ contract, linkTo }: SectionContext, { responses }: Operation): string[] {
  const all = Object.entries(responses);
  const successful = all.filter(([status]) => status.startsWith('2'));
  const parts = successful.flatMap(([status, { content }]) => {
    const [media] = content;
    if (!media) return [];
    const example = exampleIn(contract, media.node);
    const rows = schemaRows(contract, media.node.schema, 'response').map((row) => [
      nameCell(row.name, false),
      escapeHtml(row.type),
      renderFragment(row.description, linkTo),
    ]);
    const shown = Array.isArray(example) ? example.slice(0, 1) : example;
    return [
      table(`Response ${escapeHtml(status)}`, ['Property', 'Type', 'Description'], rows),
      shown === undefined || typeof shown === 'string'
        ? ''
        : code('json', JSON.stringify(shown, null, 2), 'Response'),
    ];
  });
  const rows = all.map(([status, { node, headers }]) => [
    `<code>${escapeHtml(status)}</code>`,
    renderFragment(textIn(node, 'description'), linkTo),
    headers.map(({ name }) => `<code>${escapeHtml(name)}</code>`).join(' '),
  ]);
  return [...parts, table('Status codes', ['Status', 'Meaning', 'Headers'], rows)];
}
