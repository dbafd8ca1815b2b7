/** Where a link between the sources leads on the portal, whose pages lie to each other as the sources do. */
export function linkTo(href: string): string {
  if (/^#|^(https?|mailto):/i.test(href)) return href;
  // A scheme beyond these would be a program.
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
