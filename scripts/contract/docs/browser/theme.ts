/**
 * Light or dark, before anything is drawn: as the reader has chosen, else as his system has it. Whoever draws by
 * himself, as the renderer of the reference does, is told by the event `parley-theme`.
 */
const key = 'parley-theme';

/** Where nothing can be kept, as in pages from a disk, the choice holds for the page. */
let choice: string | null = null;
try {
  choice = localStorage.getItem(key);
} catch {
  // Then there is none.
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
    // See above.
  }
  apply();
});
