import { objectOf } from '../../../../server/lib/json-object.ts';
import { parsedJson } from '../../../lib/parsed-json.ts';
import { codeContent, codeFigure } from '../code-figure.ts';
import { requestSamples } from '../reference/request-samples.ts';
import {
  newKey,
  type SampleRequest,
  type SentValue,
  sentRequest,
  typedValue,
} from '../reference/sample-request.ts';
import { literal, typescriptSample } from '../reference/typescript-sample.ts';
import { escapeHtml } from '../text.ts';
import { loadScript } from './load-script.ts';

/** The samples of the page, in TypeScript first. */
const samples = [...document.querySelectorAll<HTMLElement>('#request + .choice figure')];
/** The code that creates the client. */
const [setup = ''] = samples[0]?.querySelector('code')?.textContent?.split('\n\n') ?? [];

/** The last body that was JSON, for the sample in TypeScript. */
let lastBody = parsedJson(
  document.querySelector<HTMLTextAreaElement>('#request textarea')?.defaultValue ?? '',
);

/** Sends the request of a form to the server that the reader has chosen, and shows the response below it. */
export async function sendRequest(form: HTMLFormElement, root: string): Promise<void> {
  const output = form.querySelector('.output');
  if (!output) return;
  const server = serverOf(form);
  if (!checkBody(form)) return;
  const { method, url, headers, body = null } = requestOf(form, server || (form.dataset.base ?? ''));
  try {
    if (server === '') await loadScript(`${root}assets/page-mock.js`);
    const send = server === '' ? window.parleyPageMock?.createMock().fetch : fetch;
    if (!send) throw new Error('this portal was built without the mock');
    const start = performance.now();
    const response = await send(url, {
      method,
      headers: Object.fromEntries(
        headers.map(({ name, value }) => [name, value === newKey ? randomKey() : value]),
      ),
      body,
    });
    const text = await response.text();
    const time = `${Math.round(performance.now() - start)} ms`;
    output.innerHTML = responseHtml(response, text, `${time}, ${server || 'the mock in this page'}`);
    document.querySelector('.samples > details')?.removeAttribute('open');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const remedy =
      server === '' ? '' : ' Check that the server runs, and allows requests from this page (CORS).';
    output.innerHTML = `<p class="reason">${escapeHtml(`There is no response: ${reason}.${remedy}`)}</p>`;
  }
  form.scrollIntoView({ block: 'nearest' });
}

/** Returns a random key. Only pages with https have `crypto.randomUUID`. */
const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** Writes the samples of the page with the values of a form. */
export function updateSamples(form: HTMLFormElement): void {
  checkBody(form);
  showCredentials(form);
  const request = requestOf(form, serverOf(form) || (form.dataset.url ?? ''));
  const typescript = { language: 'typescript', text: typescriptOf(form, request) };
  for (const [at, { language, text }] of [typescript, ...requestSamples(request)].entries()) {
    const sample = samples[at];
    if (!sample) continue;
    // Code that the reader has unfolded stays so.
    sample.innerHTML = codeContent({ text, language, isCut: sample.querySelector('[data-more]') !== null });
  }
}

/** Marks the body if it is no JSON, and says where. */
function checkBody(form: HTMLFormElement): boolean {
  const field = form.querySelector('textarea');
  const reason = form.querySelector('#body-error');
  if (!field || !reason) return true;
  let problem = '';
  try {
    if (field.value.trim() !== '') lastBody = JSON.parse(field.value);
  } catch (error) {
    // The message of the browser quotes the place.
    problem = `The body is not JSON. ${error instanceof Error ? error.message : ''}`;
    field.closest('details')?.setAttribute('open', '');
  }
  reason.textContent = problem;
  field.ariaInvalid = String(problem !== '');
  return problem === '';
}

/** A real server does not accept the credential of the mock server. One that the reader has written stays. */
function showCredentials(form: HTMLFormElement): void {
  const server = serverOf(form);
  const isMock = server === '' || server === form.dataset.url;
  for (const field of form.querySelectorAll<HTMLInputElement>(
    '[data-type=""]:not([name$=".Content-Type"])',
  )) {
    const placeholder = field.defaultValue.replace(/\S+$/, 'YOUR_TOKEN');
    const [from, to] = isMock ? [placeholder, field.defaultValue] : [field.defaultValue, placeholder];
    if (field.value !== from) continue;
    field.value = to;
    if (!isMock) field.closest('details')?.setAttribute('open', '');
  }
}

/** Returns the fields that are not empty. A key that the reader has not written is a new one. */
const fieldsOf = (form: HTMLFormElement) =>
  [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-type]')].flatMap((field) => {
    const [place, name = ''] = field.name.split(/\.(.*)/s);
    const value = field.value.trim() || (field.dataset.newKey ?? '');
    return value !== '' && (place === 'path' || place === 'query' || place === 'header')
      ? [{ in: place, name, value, field } satisfies SentValue & { field: HTMLElement }]
      : [];
  });

/** Returns the URL of the chosen server; empty for the mock server in this page. */
function serverOf(form: HTMLFormElement): string {
  const given = new FormData(form);
  const chosen = given.get(given.get('server') === 'other' ? 'other' : 'server');
  return String(chosen ?? '').replace(/\/?\s*$/, '');
}

function requestOf(form: HTMLFormElement, url: string): SampleRequest {
  const { method = '', path = '' } = form.dataset;
  const body = String(new FormData(form).get('body') ?? '').trim();
  const kept = (form.dataset.kept ?? '').split(' ').filter((name) => name !== '');
  return sentRequest(url, method, path, fieldsOf(form), body === '' ? undefined : body, kept);
}

function typescriptOf(form: HTMLFormElement, { body, keptHeaders }: SampleRequest): string {
  const { method = '', path = '', variable = '', url = '' } = form.dataset;
  const json = body === undefined ? undefined : lastBody;
  const fields = fieldsOf(form);
  const valuesIn = (place: string) =>
    Object.fromEntries(
      fields
        .filter((each) => each.in === place && each.field.dataset.type !== '')
        .map(({ name, value, field }) => [name, typedValue(value, field.dataset.type ?? '')]),
    );
  // The code that creates the client contains credentials, which are no parameters.
  const created = fields.reduce(
    (code, { value, field }) =>
      field instanceof HTMLInputElement && field.dataset.type === ''
        ? replaced(code, withoutScheme(field.defaultValue), withoutScheme(value))
        : code,
    replaced(setup, url, serverOf(form) || url),
  );
  const parts = { path: valuesIn('path'), query: valuesIn('query'), header: valuesIn('header') };
  const call = typescriptSample(variable, method, path, { ...parts, body: json, files: [] }, keptHeaders);
  return `${created}\n\n${call}`;
}

/** Replaces the content of a string in code. */
const replaced = (code: string, from: string, to: string): string =>
  from === '' ? code : code.replaceAll(from, () => literal(to).slice(1, -1));

const withoutScheme = (credential: string): string => credential.replace(/^(Bearer|Basic) /i, '');

function responseHtml({ status, headers }: Response, text: string, source: string): string {
  const json = parsedJson(text);
  const { message, detail = message } = objectOf(json);
  const isFailure = status >= 400;
  const reason = isFailure && typeof detail === 'string' ? `<p class="reason">${escapeHtml(detail)}</p>` : '';
  const figure = codeFigure({
    text: json === undefined ? text : JSON.stringify(json, null, 2),
    language: json === undefined ? '' : 'json',
    label: `${status} in ${source}`,
    isOutput: true,
    isFailure,
    isCut: true,
  });
  const lines = Array.from(headers, ([name, value]) => `${name}: ${value}`);
  return `${reason}${figure}<details${isFailure ? '' : ' open'}><summary>Headers (${lines.length})</summary>${codeFigure({ text: lines.join('\n'), language: 'yaml', label: 'Headers' })}</details>`;
}
