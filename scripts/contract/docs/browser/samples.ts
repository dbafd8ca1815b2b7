import { loadScript } from './load-script.ts';
import './globals.ts';

/** The name of the language in which samples are shown, kept in this browser. */
const storageKey = 'parley-language';

/** Sets up the switches between samples, and the buttons that send requests to the mock inside the page. */
export function setUpSamples(root: string): void {
  const kept = localStorage.getItem(storageKey);
  if (kept !== null) for (const place of document.querySelectorAll('.choice')) show(place, kept);
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    const { choose, run } = button?.dataset ?? {};
    const place = button?.closest('.choice');
    if (place && choose !== undefined) {
      show(place, choose);
      // Languages are kept, and responses are not.
      if (button?.parentElement?.ariaLabel === 'Language') localStorage.setItem(storageKey, choose);
    }
    if (button && run !== undefined) void showResponse(button, run, root);
  });
}

/** Shows one of the figures of a place, if it has that one. */
function show(place: Element, chosen: string): void {
  const buttons = [...place.querySelectorAll<HTMLElement>('[data-choose]')];
  if (!buttons.some(({ dataset }) => dataset.choose === chosen)) return;
  for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.choose === chosen));
  for (const figure of place.querySelectorAll<HTMLElement>('[data-choice]'))
    figure.hidden = figure.dataset.choice !== chosen;
}

interface Request {
  method: string;
  url: string;
  headers: { name: string; value: string }[];
  body?: string;
}

/** Sends the request of a button to the mock inside the page, and shows the response below it. */
async function showResponse(button: HTMLButtonElement, given: string, root: string): Promise<void> {
  const output = button.closest('p')?.nextElementSibling;
  if (!output) return;
  button.disabled = true;
  const { method, url, headers, body }: Request = JSON.parse(given);
  try {
    const mock = await pageMock(root);
    const response = await mock.fetch(url, {
      method,
      headers: headers.map(({ name, value }): [string, string] => [name, value]),
      ...(body === undefined ? {} : { body }),
    });
    output.replaceChildren(figureOf(response, await response.text()));
    output.scrollIntoView({ block: 'nearest' });
  } catch (error) {
    output.textContent = `The mock did not respond: ${error instanceof Error ? error.message : error}`;
  } finally {
    button.disabled = false;
  }
}

function figureOf({ status, headers }: Response, text: string): HTMLElement {
  const figure = element('figure', 'code answer');
  figure.dataset.language = `${status}, from the mock`;
  figure.classList.toggle('failed', status >= 400);
  const code = element('code');
  code.append(...highlighted(formatted(text)));
  const pre = element('pre');
  pre.tabIndex = 0;
  pre.append(code);
  const details = element('details');
  details.append(element('summary', '', 'Headers'));
  for (const [name, value] of headers) details.append(element('code', '', `${name}: ${value}`));
  figure.append(pre, details);
  return figure;
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, className = '', text = '') {
  return Object.assign(document.createElement(name), { className, textContent: text });
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d[\d.eE+-]*/g;

/** Colors JSON as the code of the page. */
function highlighted(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const { 0: all, 1: string, 2: colon, 3: literal, index } of text.matchAll(token)) {
    parts.push(text.slice(end, index));
    const kind =
      string === undefined ? (literal === undefined ? 'number' : 'literal') : colon ? 'attr' : 'string';
    parts.push(element('span', `hljs-${kind}`, all));
    end = index + all.length;
  }
  return [...parts, text.slice(end)];
}

/** Returns JSON with line breaks, and other text as it is. */
function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function pageMock(root: string): Promise<{ fetch: typeof fetch }> {
  await loadScript(`${root}assets/page-mock.js`);
  const mock = window.parleyPageMock?.createMock();
  if (!mock) throw new Error('this portal was built without it');
  return mock;
}
