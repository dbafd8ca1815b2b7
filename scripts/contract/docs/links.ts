/** Converts a link between source files to a link between pages. Pages are in the same folders as their sources. */
export function linkTo(href: string): string {
  if (/^#|^(https?|mailto):/i.test(href)) return href;
  // Other schemes, such as `javascript:`, could run a script.
  if (/^\s*[a-z][a-z0-9+.-]*:/i.test(href)) return '#';
  return href.replace(
    /^((?:\.\.\/)*)([^#]*)/,
    (_all, up: string, path: string) =>
      up + (Object.hasOwn(moved, path) ? moved[path] : path.replace(/\.md$/, '.html')),
  );
}

const moved: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog.html',
  'openapi.yaml': 'reference.html',
};
