/**
 * Light or dark, before anything is drawn: as the reader has chosen, else as his system has it. The renderer of the
 * reference goes by classes of the body, which `site.ts` keeps.
 */
const key = 'parley-theme';

function chosen(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // From a disk, or where nothing may be kept.
    return null;
  }
}

const system = matchMedia('(prefers-color-scheme: dark)');
const apply = () => {
  const theme = chosen() ?? (system.matches ? 'dark' : 'light');
  document.documentElement.dataset.theme = theme;
  document.documentElement.style.colorScheme = theme;
};
apply();
system.addEventListener('change', apply);

document.addEventListener('click', (event) => {
  if (!(event.target instanceof Element) || !event.target.closest('[data-theme-switch]')) return;
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Then it holds for this page.
  }
  document.documentElement.dataset.theme = theme;
  document.documentElement.style.colorScheme = theme;
  document.dispatchEvent(new Event('parley-theme'));
});
