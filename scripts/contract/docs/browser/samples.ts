import './globals.ts';

/** The name of the language in which samples are shown, kept in this browser. */
const storageKey = 'parley-language';

/** Sets up the switch between languages, and the buttons that send requests to the mock inside the page. */
export function setUpSamples(root: string): void {
  const chosen = localStorage.getItem(storageKey);
  if (chosen !== null) showLanguage(chosen);
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    const { languageChoice, run } = button?.dataset ?? {};
    if (languageChoice !== undefined) {
      localStorage.setItem(storageKey, languageChoice);
      showLanguage(languageChoice);
    }
    if (button && run !== undefined) void showResponse(button, run, root);
  });
}

/** Shows the samples of a language in each place that has one. */
function showLanguage(language: string): void {
  for (const choices of document.querySelectorAll('.languages')) {
    const buttons = [...choices.querySelectorAll<HTMLElement>('[data-language-choice]')];
    if (!buttons.some(({ dataset }) => dataset.languageChoice === language)) continue;
    for (const button of buttons)
      button.setAttribute('aria-pressed', String(button.dataset.languageChoice === language));
    const names = buttons.map(({ dataset }) => dataset.languageChoice);
    for (const figure of choices.parentElement?.querySelectorAll<HTMLElement>(':scope > figure.code') ?? [])
      if (names.includes(figure.dataset.language)) figure.hidden = figure.dataset.language !== language;
  }
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
  } catch (error) {
    output.textContent = `The mock did not respond: ${error instanceof Error ? error.message : error}`;
  } finally {
    button.disabled = false;
  }
}

function figureOf({ status, statusText, headers }: Response, text: string): HTMLElement {
  const figure = document.createElement('figure');
  figure.className = 'code answer';
  figure.dataset.language = `${status} ${statusText}`.trim();
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  const code = document.createElement('code');
  const lines = Array.from(headers, ([name, value]) => `${name}: ${value}`);
  code.textContent = `${lines.join('\n')}\n\n${formatted(text)}`;
  pre.append(code);
  figure.append(pre);
  return figure;
}

/** Returns JSON with line breaks, and other text as it is. */
function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

let loading: Promise<void> | undefined;

/** Loads the mock when it is first needed, so that pages are readable without it. */
async function pageMock(root: string): Promise<{ fetch: typeof fetch }> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${root}assets/page-mock.js`;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error('assets/page-mock.js cannot be loaded'));
    document.head.append(script);
  });
  await loading;
  const mock = window.parleyPageMock?.createMock();
  if (!mock) throw new Error('this portal was built without it');
  return mock;
}
