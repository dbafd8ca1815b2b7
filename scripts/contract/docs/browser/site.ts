import type { SearchEntry } from './globals.ts';
import { loadScript } from './load-script.ts';
import { setUpSamples } from './samples.ts';
import { createSearch, groupResults, popularPages, snippetOf } from './search.ts';

const root = document.documentElement.dataset.root ?? '';

/** Returns an element that every page has. */
function part<Kind extends Element>(selector: string, kind: new () => Kind): Kind {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}.`);
  return found;
}

setUpMenu();
setUpSearch();
showInstallation();
setUpCopying();
setUpSamples(root);
markCurrentSection();

function setUpMenu(): void {
  const button = part('[data-menu]', HTMLButtonElement);
  const menu = part('#menu', HTMLElement);
  const current = menu.querySelector('[aria-current="page"]');
  const scrollToCurrent = () => current?.scrollIntoView({ block: 'nearest' });
  const show = (open: boolean) => {
    button.ariaExpanded = String(open);
    button.textContent = open ? '✕' : '☰';
    document.body.classList.toggle('menu-open', open);
    // The menu covers the page, so that the focus must not go there.
    part('#content', HTMLElement).inert = open;
    if (!open) return;
    const section = current?.closest('details');
    if (section) menu.prepend(section);
    scrollToCurrent();
  };
  scrollToCurrent();
  button.addEventListener('click', () => show(button.ariaExpanded !== 'true'));
  // A link can lead to a section of the same page.
  menu.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) show(false);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') show(false);
  });
}

function setUpSearch(): void {
  const dialog = part('dialog#search', HTMLDialogElement);
  const input = part('dialog#search input', HTMLInputElement);
  const list = part('dialog#search ul', HTMLUListElement);
  const state = part('dialog#search .search-state', HTMLParagraphElement);
  let search: ReturnType<typeof createSearch> | undefined;

  const show = () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    update();
    void load();
  };
  const load = () =>
    loadScript(`${root}assets/search-entries.js`).then(update, ({ message }: Error) => {
      state.textContent = message;
    });
  const update = () => {
    const { parleySearch: all } = window;
    if (!all) return;
    search ??= createSearch(all);
    const query = input.value.trim();
    const found = query === '' ? [] : search(query);
    const shown = query === '' ? [['Pages', popularPages(all)] as const] : groupResults(found);
    list.replaceChildren(
      ...shown.flatMap(([heading, entries]) => [
        textIn('li', heading),
        ...entries.map((entry) => resultItem(entry, query)),
      ]),
    );
    state.textContent =
      query !== '' && found.length === 0
        ? `No results for “${query}”. Try a single word, such as errors, pagination or webhooks.`
        : '';
  };
  const links = () => [...list.querySelectorAll('a')];
  const move = (by: number) => {
    const all = links();
    // While the reader types, the first result is marked.
    const focused = all.findIndex((link) => link.matches(':focus'));
    const at = Math.max(focused, 0) + by;
    (all[at < 0 ? at : at % all.length] ?? input).focus();
  };

  for (const button of document.querySelectorAll('[data-search]')) {
    button.addEventListener('click', show);
    button.addEventListener('pointerenter', load);
  }
  input.addEventListener('input', update);
  list.addEventListener('click', () => dialog.close());
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    }
    const isTyped = event.key === 'Backspace' || (event.key.length === 1 && !event.ctrlKey && !event.metaKey);
    // Before the key has an effect, so that the input gets it.
    if (isTyped && event.target instanceof HTMLAnchorElement) input.focus();
    if (event.key === 'Enter' && event.target === input) {
      event.preventDefault();
      void load().then(() => links()[0]?.click());
    }
  });
  document.addEventListener('keydown', (event) => {
    const typing =
      event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
    const requested =
      (event.key === '/' && !typing) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!requested) return;
    event.preventDefault();
    show();
  });
}

function resultItem(
  { title, location, text, group, href, terms = '' }: SearchEntry,
  query: string,
): HTMLLIElement {
  const link = document.createElement('a');
  link.href = root + href;
  const marked = (tag: string, shown: string) => {
    const { before, word, after } = snippetOf(shown, `${query} ${terms}`);
    const element = textIn(tag, before);
    element.append(textIn('mark', word), after);
    return element;
  };
  link.append(marked('strong', title), textIn('span', location || group), marked('small', text));
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** Shows where this portal offers the client. npm also installs from URLs of files. */
function showInstallation(): void {
  const place = document.querySelector<HTMLElement>('[data-install]');
  const code = place?.querySelector('code');
  if (code) code.textContent = `npm install ${new URL(root + place?.dataset.install, location.href)}`;
}

function setUpCopying(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-copy]') : null;
    if (!button) return;
    const code = button.parentElement?.querySelector('code')?.textContent ?? '';
    button.textContent = await navigator.clipboard.writeText(code).then(
      () => 'Copied',
      () => 'Copy failed',
    );
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1_500);
  });
}

/** Marks the section in view in the table of contents, which is open where it stands beside the page. */
function markCurrentSection(): void {
  const contents = document.querySelector<HTMLDetailsElement>('.on-this-page');
  if (contents) contents.open = matchMedia('(width > 75rem)').matches;
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.on-this-page a')];
  const topOf = ({ hash }: HTMLAnchorElement) =>
    document.getElementById(hash.slice(1))?.getBoundingClientRect().top ?? 0;
  const mark = () => {
    // The last heading that is in the upper third of the window, or above the window.
    const current = links.findLast((link) => topOf(link) < innerHeight / 3);
    for (const link of links) link.ariaCurrent = link === current ? 'true' : null;
  };
  document.addEventListener('scroll', mark, { passive: true });
  mark();
}

const textIn = (tag: string, textContent: string): HTMLElement =>
  Object.assign(document.createElement(tag), { textContent });
