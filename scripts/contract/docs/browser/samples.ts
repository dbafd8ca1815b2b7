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
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-more]') : null;
    button?.parentElement?.querySelector<HTMLElement>('pre:has(code)')?.focus();
    button?.remove();
  });
  const form = document.querySelector<HTMLFormElement>('#request');
  if (form) setUpForm(form, root);
}

function setUpForm(form: HTMLFormElement, root: string): void {
  const withScript = async (use: (script: NonNullable<typeof window.parleyRequestForm>) => unknown) => {
    await loadScript(`${root}assets/request-form.js`);
    if (window.parleyRequestForm) use(window.parleyRequestForm);
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void withScript(({ sendRequest }) => sendRequest(form, root));
  });
  form.addEventListener('keydown', ({ key, ctrlKey, metaKey }) => {
    if (key === 'Enter' && (ctrlKey || metaKey)) form.requestSubmit();
  });
  const update = () => void withScript(({ updateSamples }) => updateSamples(form));
  form.addEventListener('input', update);
  // The event comes before the fields change.
  form.addEventListener('reset', () => setTimeout(update));
  const { parleyService: service } = window;
  if (service)
    form.querySelector('[name="server"] option')?.after(new Option(`This service: ${service}`, service));
}

/** Shows one of the figures of a place, if it has that one. */
function show(place: Element, chosen: string): void {
  const figures = [...place.querySelectorAll<HTMLElement>('figure')];
  if (!figures.some(({ dataset }) => dataset.language === chosen)) return;
  for (const figure of figures) figure.hidden = figure.dataset.language !== chosen;
  for (const button of place.querySelectorAll<HTMLElement>('[data-choose]'))
    button.ariaPressed = String(button.dataset.choose === chosen);
}
