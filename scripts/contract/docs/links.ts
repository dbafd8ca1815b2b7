/** Any base URL shows whether a link is relative. The name is reserved (RFC 2606). */
const base = 'https://portal.invalid/';

/** Links with other schemes, such as `javascript:`, could run a script or open a program. */
const allowedSchemes = ['http:', 'https:', 'mailto:'];

/** Converts a link between source files to a link between pages. */
export type LinkTo = (href: string) => string;

/**
 * Returns a function that converts a link between source files to a link between pages. Guides are in the same folder as their
 * sources.
 * @param pages the pages of operations by ID: links to `openapi.yaml#createContact` lead to them
 * @param up the way from a page to the folder of the contract, if its source is the contract: `../`
 * @returns a function that takes a link as Markdown contains it, with character references. It returns a link to a page or of
 * an allowed scheme, and `#` for any other.
 */
export const createLinkTo =
  (pages: ReadonlyMap<string, string>, up = ''): LinkTo =>
  (href) =>
    linkTo(href, pages, up);

function linkTo(href: string, pages: ReadonlyMap<string, string>, toRoot: string): string {
  const decoded = decodeReferences(href);
  // Browsers parse links in the same way: they ignore tabs, line breaks, and control characters at both ends.
  const url = URL.parse(decoded, base);
  if (!url || !allowedSchemes.includes(url.protocol)) return '#';
  if (url.origin !== new URL(base).origin) return url.href;
  if (URL.canParse(decoded)) return '#';
  if (decoded.startsWith('#')) return decoded;
  return decoded.replace(/^((?:\.\.\/)*)([^#]*)(?:#(.*))?$/s, (_all, up: string, path: string, id = '') => {
    const page = path === 'openapi.yaml' ? pages.get(id) : undefined;
    if (page !== undefined) return toRoot + up + page;
    const target = Object.hasOwn(moved, path) ? moved[path] : path.replace(/\.md$/, '.html');
    return `${toRoot}${up}${target}${id === '' ? '' : `#${id}`}`;
  });
}

const moved: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog.html',
  'openapi.yaml': 'reference.html',
};

const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  ...{ colon: ':', Tab: '\t', NewLine: '\n' },
};

/** Decodes the character references of HTML that URLs need. Others stay as they are: the page contains them escaped. */
const decodeReferences = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,31}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? all) : all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
