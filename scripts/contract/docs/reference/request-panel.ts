import { isObject } from '../../../../server/lib/json-object.ts';
import { mockPort } from '../../../lib/ports.ts';
import { choicePanel } from '../code-figure.ts';
import { breakable, escapeHtml } from '../text.ts';
import { nodeIn, textIn } from './nodes.ts';
import { newKey } from './sample-request.ts';
import type { OperationSamples, RequestField } from './samples.ts';

/** A server that can respond to the requests of a page. */
interface RequestServer {
  /** Empty for the mock inside the page. */
  url: string;
  description: string;
}

const pageMock = 'Mock in this page';

/** Returns the servers that readers can choose from, the first one first: mocks before the servers of the contract. */
export function requestServers(
  servers: readonly object[],
  mock: string,
  hasPageMock: boolean,
): RequestServer[] {
  const documented = servers.filter(isObject).map((server) => {
    const variables = nodeIn(server, 'variables');
    const url = textIn(server, 'url').replaceAll(
      /\{(\w+)\}/g,
      (variable, name) => textIn(nodeIn(variables, name), 'default') || variable,
    );
    return { url: url.replace(/\/$/, ''), description: textIn(server, 'description') };
  });
  const all = [
    ...(hasPageMock ? [{ url: '', description: pageMock }] : []),
    { url: mock, description: 'Mock on your machine' },
    ...documented,
  ];
  return all.filter(({ url }, at) => all.findIndex((each) => each.url === url) === at);
}

/** The settings that all panels of a site have. */
export interface PanelContext {
  /** The servers that readers can choose from; without any, requests cannot be sent. */
  servers: readonly RequestServer[];
  /** Path at the mock inside the page, before that of the operation. */
  base: string;
  /** The command that starts the mock of the samples, if it is on the reader's machine. */
  mockCommand: string | undefined;
}

/** Renders the request samples of an operation, and a form that sends the request. */
export function requestPanel(
  { samples, request, fields, url, variable }: OperationSamples,
  { servers, base, mockCommand }: PanelContext,
): string {
  const start =
    mockCommand === undefined
      ? ''
      : `<p class="small">Start the mock server on port ${mockPort}: <code>${escapeHtml(mockCommand)}</code></p>\n`;
  const panel = choicePanel('Language', samples) + start;
  if (!request || servers.length === 0) return panel;
  const { method, path, body, keptHeaders } = request;
  // Readers seldom change headers that most operations have, and no mistake depends on them.
  const isRare = ({ in: place, name, value }: RequestField) =>
    place === 'header' && (value === '' || name === 'Content-Type');
  const [rare, usual] = [fields.filter(isRare), fields.filter((field) => !isRare(field))].map((group) =>
    group.map(fieldInput).join(''),
  );
  const data = Object.entries({ method, path, base, url, variable, kept: keptHeaders.join(' ') }).map(
    ([name, value]) => ` data-${name}="${escapeHtml(value)}"`,
  );
  return `<form id="request"${data.join('')} autocomplete="off">
<div class="bar">${serverChoice(servers)}<button type="submit" class="button main">Send request</button></div>
<div class="output" aria-live="polite"></div>
<details><summary>Edit the request</summary>
${usual}${body === undefined ? '' : bodyInput(body)}${rare === '' ? '' : `<details><summary>More headers</summary>${rare}</details>`}<button type="reset">Reset</button>
</details>
</form>
${panel}`;
}

/** Readers choose a server, unless the page allows only its own mock. The address of another server is shown if they choose that. */
function serverChoice(servers: readonly RequestServer[]): string {
  if (servers.every(({ url }) => url === '')) return `<span>${pageMock}</span>`;
  const options = servers.map(({ url, description }) => {
    const text = [description.replace(/\.$/, ''), url].filter(Boolean).join(': ');
    return `<option value="${escapeHtml(url)}">${escapeHtml(text)}</option>`;
  });
  return `<select name="server" aria-label="Server">${options.join('')}<option value="other">Another server</option></select>
<label class="other"><span>URL</span><input name="other" inputmode="url" spellcheck="false" value="${escapeHtml(servers.at(-1)?.url ?? '')}"></label>`;
}

/** The first word of the type says how the sample in TypeScript writes the value. */
function fieldInput({ in: place, name, value, type, isRequired, choices }: RequestField): string {
  const attributes = `name="${escapeHtml(`${place}.${name}`)}" data-type="${/^\w*/.exec(type)}"`;
  const filled =
    value === newKey
      ? `value="" placeholder="a new key for each request" data-new-key="${newKey}"`
      : `value="${escapeHtml(value)}"`;
  const options = [...(isRequired ? [] : ['']), ...choices].map(
    (choice) =>
      `<option value="${escapeHtml(choice)}"${choice === value ? ' selected' : ''}>${escapeHtml(choice) || 'not sent'}</option>`,
  );
  const control =
    choices.length > 0
      ? `<select ${attributes}>${options.join('')}</select>`
      : `<input ${attributes} ${filled} spellcheck="false"${/^(integer|number)/.test(type) ? ' inputmode="decimal"' : ''}>`;
  return `<label><span><code>${breakable(escapeHtml(name))}</code>${isRequired ? ' <strong>required</strong>' : ''} <small>${escapeHtml(type)}</small></span>${control}</label>
`;
}

const bodyInput = (body: string): string =>
  `<label><span>Body</span><textarea name="body" rows="${Math.min(body.split('\n').length, 12)}" spellcheck="false" aria-describedby="body-error">
${escapeHtml(body)}</textarea></label>
<p class="reason" id="body-error" aria-live="polite"></p>
`;
