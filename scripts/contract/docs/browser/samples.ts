import { loadScript } from './load-script.ts';
import './globals.ts';

/** The name of the language in which samples are shown, kept in this browser. */
const storageKey = 'parley-language';

/** Sets up the switches between samples, and the form that sends a request. */
export function setUpSamples(root: string): void {
  const kept = localStorage.getItem(storageKey);
  if (kept !== null) for (const place of document.querySelectorAll('.choice')) show(place, kept);
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-choose]') : null;
    const place = button?.closest('.choice');
    const choose = button?.dataset.choose;
    if (!place || choose === undefined) return;
    show(place, choose);
    // Languages are kept, and responses are not.
    if (button?.parentElement?.ariaLabel === 'Language') localStorage.setItem(storageKey, choose);
  });
  const form = document.querySelector<HTMLFormElement>('#request');
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    void showResponse(form, root);
  });
  form?.addEventListener('keydown', ({ key, ctrlKey, metaKey }) => {
    if (key === 'Enter' && (ctrlKey || metaKey)) form.requestSubmit();
  });
  for (const event of ['input', 'reset'])
    form?.addEventListener(event, () => {
      form.querySelector('.changed')?.toggleAttribute('hidden', event === 'reset');
    });
  const { parleyService: service } = window;
  if (service)
    form?.querySelector('[name="server"] option')?.after(new Option(`This service ${service}`, service));
}

/** Shows one of the figures of a place, if it has that one. */
function show(place: Element, chosen: string): void {
  const buttons = [...place.querySelectorAll<HTMLElement>('[data-choose]')];
  if (!buttons.some(({ dataset }) => dataset.choose === chosen)) return;
  for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.choose === chosen));
  for (const figure of place.querySelectorAll<HTMLElement>('[data-choice]'))
    figure.hidden = figure.dataset.choice !== chosen;
}

/** Sends the request of a form to the server that the reader has chosen, and shows the response below it. */
async function showResponse(form: HTMLFormElement, root: string): Promise<void> {
  const output = form.querySelector('.output');
  const given = new FormData(form);
  const text = (name: string) => String(given.get(name) ?? '').trim();
  /** Returns the values that are not empty, by name. */
  const valuesIn = (place: string) =>
    [...given.keys()]
      .filter((key) => key.startsWith(`${place}.`) && text(key) !== '')
      .map((key) => [key.slice(place.length + 1), text(key)]);
  const server = text(text('server') === 'other' ? 'other' : 'server').replace(/\/$/, '');
  const { base = '', path = '', method = '' } = form.dataset;
  const query = new URLSearchParams(valuesIn('query'));
  const target = `${path.replaceAll(/\{([^}]+)\}/g, (_all, name) => encodeURIComponent(text(`path.${name}`)))}${query.size > 0 ? `?${query}` : ''}`;
  try {
    const send = server === '' ? (await pageMock(root)).fetch : fetch;
    const start = performance.now();
    const response = await send((server || base) + target, {
      method,
      headers: Object.fromEntries(valuesIn('header')),
      ...(given.has('body') ? { body: text('body') } : {}),
    });
    const body = await response.text();
    const time = `${Math.round(performance.now() - start)} ms`;
    output?.replaceChildren(figureOf(response, body, `${time}, ${server || 'the mock in this page'}`));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const remedy =
      server === '' ? '' : ' Check that the server runs, and allows requests from this page (CORS).';
    output?.replaceChildren(element('p', 'failed', `There is no response: ${reason}.${remedy}`));
  }
  output?.scrollIntoView({ block: 'nearest' });
}

function figureOf({ status, headers }: Response, text: string, source: string): HTMLElement {
  const figure = element('figure', 'code answer');
  figure.dataset.language = `${status} in ${source}`;
  figure.classList.toggle('failed', status >= 400);
  const code = element('code');
  code.append(...highlighted(formatted(text)));
  const pre = element('pre');
  pre.tabIndex = 0;
  pre.append(code);
  const details = element('details');
  details.append(element('summary', '', `Headers (${[...headers].length})`));
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
