/** Sets the reader's choice of a light or dark theme before the page is drawn. Without a choice, the system's is used. */
const key = 'parley-theme';
const { style } = document.documentElement;

/** Returns nothing in pages that have no storage. Then the choice lasts only for the page. */
function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

style.colorScheme = storage()?.getItem(key) ?? '';

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || !target.closest('[data-theme-switch]')) return;
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  style.colorScheme = (style.colorScheme || system) === 'dark' ? 'light' : 'dark';
  storage()?.setItem(key, style.colorScheme);
});
