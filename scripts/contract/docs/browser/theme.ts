/**
 * Sets the light or dark theme before the page is drawn: the reader's choice, or else the system's. Components with
 * a theme of their own, such as the reference, listen for the event `parley-theme`.
 */
const key = 'parley-theme';

/** Without storage, as in pages loaded from disk, the choice lasts only for the page. */
let choice: string | null = null;
try {
  choice = localStorage.getItem(key);
} catch {
  // Storage is not available.
}

const system = matchMedia('(prefers-color-scheme: dark)');
const apply = () => {
  const theme = choice ?? (system.matches ? 'dark' : 'light');
  document.documentElement.dataset.theme = theme;
  document.documentElement.style.colorScheme = theme;
  document.dispatchEvent(new Event('parley-theme'));
};
apply();
system.addEventListener('change', apply);

document.addEventListener('click', (event) => {
  if (!(event.target instanceof Element) || !event.target.closest('[data-theme-switch]')) return;
  choice = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(key, choice);
  } catch {
    // Storage is not available.
  }
  apply();
});
