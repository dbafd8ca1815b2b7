import { isObject } from '../../../../server/lib/json-object.ts';
import { type CodeFigure, codeFigure } from '../code-figure.ts';
import { escapeHtml } from '../text.ts';
import { nodeIn, textIn } from './nodes.ts';
import type { OperationSamples } from './samples.ts';

/** A server that can respond to the requests of a page. */
export interface RequestServer {
  /** Empty for the mock inside the page. */
  url: string;
  description: string;
}

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
    ...(hasPageMock ? [{ url: '', description: 'The mock inside this page' }] : []),
    { url: mock, description: 'The mock on your machine' },
    ...documented,
  ];
  return all.filter(({ url }, at) => all.findIndex((each) => each.url === url) === at);
}

/** Code that readers can choose. */
export interface CodeChoice extends CodeFigure {
  /** What readers choose, such as a language or a status. */
  name: string;
}

/**
 * Renders figures of which readers choose one.
 * @param title what they choose, for screen readers
 * @param action HTML of a button beside the names
 */
export function choicePanel(title: string, choices: readonly CodeChoice[], action = ''): string {
  const buttons = choices.map(
    ({ name }, at) =>
      `<button type="button" data-choose="${escapeHtml(name)}" aria-pressed="${at === 0}">${escapeHtml(name)}</button>`,
  );
  const figures = choices.map(({ name, ...figure }, at) =>
    codeFigure({ ...figure, attributes: ` data-choice="${escapeHtml(name)}"${at === 0 ? '' : ' hidden'}` }),
  );
  const names =
    choices.length > 1
      ? `<div class="choices" role="group" aria-label="${title}">${buttons.join('')}${action}</div>\n`
      : action;
  return `<div class="choice">${names}${figures.join('')}</div>\n`;
}

/**
 * Renders the request samples of an operation, and a form that sends the request.
 * @param base path at the mock inside the page, before that of the operation
 * @param servers those that the form offers; without any, the request cannot be sent
 */
export function requestPanel(
  { samples, request }: OperationSamples,
  servers: readonly RequestServer[],
  base: string,
): string {
  const choices = samples.map((each) => ({ ...each, name: each.label }));
  const [server] = servers;
  if (!request || !server) return choicePanel('Language', choices);
  const options = servers.map(
    ({ url, description }) => `<option value="${escapeHtml(url)}">${escapeHtml(description)}</option>`,
  );
  const headers = request.headers.map(({ name, value }) => `${name}: ${value}`);
  const area = (label: string, name: string, text: string) =>
    `<label>${label} <textarea name="${name}" rows="${Math.min(text.split('\n').length, 12)}" spellcheck="false">\n${escapeHtml(text)}</textarea></label>`;
  const body = request.body === undefined ? '' : area('Body', 'body', request.body);
  return `${choicePanel('Language', choices, '<button type="submit" form="request" class="button main">Run</button>')}<form id="request" data-method="${request.method}" data-base="${escapeHtml(base)}" autocomplete="off">
<details><summary>Edit the request, or choose a server</summary>
<label>Server <input name="server" list="servers" value="${escapeHtml(server.url)}" placeholder="${escapeHtml(server.description)}"></label>
<datalist id="servers">${options.join('')}</datalist>
<label>${request.method} <input name="path" value="${escapeHtml(request.path)}" spellcheck="false"></label>
${area('Headers', 'headers', headers.join('\n'))}${body}
<button type="submit" class="button main">Send request</button>
</details>
<div class="output" aria-live="polite"></div>
</form>
`;
}
