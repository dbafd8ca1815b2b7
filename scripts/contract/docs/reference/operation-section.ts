import hljs from 'highlight.js';
import { renderFragment } from '../markdown.ts';
import { escapeHtml } from '../text.ts';
import type { ReferenceEntry } from './entries.ts';
import { type DocumentReader, exampleIn, type Node, nodeIn, textIn } from './nodes.ts';
import { parametersOf, type SampleClient, samplesOf } from './samples.ts';
import { schemaRows, typeText } from './schema-rows.ts';

export interface SectionContext {
  reader: DocumentReader;
  client: SampleClient;
  /** Converts a link of the contract to one of the portal. */
  linkTo: (href: string) => string;
}

/** An operation or an event, with its path item. */
export interface Described {
  entry: ReferenceEntry;
  item: Node;
  operation: Node;
  /** Whether calls need credentials. */
  needsToken: boolean;
  /** Anchors of other methods of the same event. */
  others: readonly string[];
}

/** Renders an operation or an event: purpose, samples, parameters, bodies. */
export function operationSection(context: SectionContext, described: Described): string {
  const { reader } = context;
  const { entry, item, operation, others } = described;
  const parameters = parametersOf(reader, item, operation);
  const isEvent = entry.kind === 'event';
  const title = isEvent ? entry.path : entry.title;
  const endpoint = isEvent
    ? `<p class="endpoint"><span class="method">EVENT</span> <code>${escapeHtml(entry.path)}</code></p>`
    : `<p class="endpoint"><span class="method">${entry.method.toUpperCase()}</span> <code>${escapeHtml(entry.path)}</code> <a href="console.html#${escapeHtml(entry.id)}">Try it</a></p>`;
  const samples = isEvent
    ? undefined
    : samplesOf(reader, { ...entry, operation, parameters }, context.client, described.needsToken);
  return [
    `<section class="operation">`,
    `<h3 id="${escapeHtml(entry.id)}">${escapeHtml(title)} <a class="anchor" href="#${escapeHtml(entry.id)}" aria-label="Link to section: ${escapeHtml(title)}">#</a></h3>`,
    ...others.map((id) => `<span id="${escapeHtml(id)}"></span>`),
    endpoint,
    `<div>${renderFragment(textIn(operation, 'description'), context.linkTo)}</div>`,
    samples ? code('ts', samples.typescript, 'TypeScript') + code('sh', samples.curl, 'curl') : '',
    parameterTable(context, isEvent ? [] : parameters),
    ...bodyTables(context, reader.resolve(operation.requestBody), isEvent),
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

function parameterTable({ reader, linkTo }: SectionContext, parameters: readonly Node[]): string {
  const rows = parameters.map((parameter) => [
    nameCell(textIn(parameter, 'name'), parameter.required === true),
    escapeHtml(textIn(parameter, 'in')),
    escapeHtml(typeText(reader, parameter.schema ?? {})),
    renderFragment(textIn(parameter, 'description'), linkTo),
  ]);
  return table('Parameters', ['Name', 'In', 'Type', 'Description'], rows);
}

function bodyTables({ reader, linkTo }: SectionContext, body: Node, isEvent: boolean): string[] {
  return Object.entries(nodeIn(body, 'content')).flatMap(([mediaType, given]) => {
    const media = reader.resolve(given);
    const rows = schemaRows(reader, media.schema, isEvent ? 'response' : 'request').map((row) => [
      nameCell(row.name, row.isRequired),
      escapeHtml(row.type),
      renderFragment(row.description, linkTo),
    ]);
    const caption = isEvent ? 'Payload' : `Request body (${escapeHtml(mediaType)})`;
    const example = isEvent ? exampleIn(reader, media) : undefined;
    return [
      example === undefined ? '' : code('json', JSON.stringify(example, null, 2), 'Event'),
      table(caption, ['Property', 'Type', 'Description'], rows),
    ];
  });
}

/** The properties of successful responses are open; the other responses take one line each. */
function responseParts({ reader, linkTo }: SectionContext, operation: Node): string[] {
  const all = Object.entries(nodeIn(operation, 'responses')).map(([status, given]) => ({
    status,
    response: reader.resolve(given),
  }));
  const successful = all.filter(({ status }) => status.startsWith('2'));
  const parts = successful.flatMap(({ status, response }) => {
    const [media] = Object.values(nodeIn(response, 'content')).map((each) => reader.resolve(each));
    if (!media) return [];
    const example = exampleIn(reader, media);
    const rows = schemaRows(reader, media.schema, 'response').map((row) => [
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
  const rows = all.map(({ status, response }) => [
    `<code>${escapeHtml(status)}</code>`,
    renderFragment(textIn(response, 'description'), linkTo),
    headersOf(reader, response),
  ]);
  return [...parts, table('Status codes', ['Status', 'Meaning', 'Headers'], rows)];
}

const headersOf = (reader: DocumentReader, response: Node): string =>
  Object.keys(nodeIn(reader.resolve(response), 'headers'))
    .map((name) => `<code>${escapeHtml(name)}</code>`)
    .join(' ');
