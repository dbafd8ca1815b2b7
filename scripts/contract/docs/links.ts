import { toSlug } from './text.ts';

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
 * @param toRoot the way from a page to the folder of the contract, if its source is the contract: `../`
 * @returns a function that takes a link as Markdown contains it, with character references. It returns a link to a page or of
 * an allowed scheme, and `#` for any other.
 */
export const createLinkTo =
  (pages: ReadonlyMap<string, string>, toRoot = ''): LinkTo =>
  (href) => {
    // Character references can hide a scheme: `javascript&colon;`. Links need only that of the ampersand.
    if (/&(?!amp;)(#|\w+;)/i.test(href)) return '#';
    const decoded = href.replaceAll('&amp;', '&');
    // Browsers parse links in the same way: they ignore tabs, line breaks, and control characters at both ends.
    const url = URL.parse(decoded, base);
    if (!url || !allowedSchemes.includes(url.protocol)) return '#';
    if (url.origin !== new URL(base).origin) return url.href;
    if (URL.canParse(decoded)) return '#';
    if (decoded.startsWith('#')) return decoded;
    return decoded.replace(/^((?:\.\.\/)*)([^#]*)(?:#(.*))?$/s, (_all, up: string, path: string, id = '') => {
      const page = path === 'openapi.yaml' ? pages.get(id) : undefined;
      if (page !== undefined) return toRoot + up + page;
      const target = Object.hasOwn(moved, path) ? moved[path] : pageOf(path);
      return `${toRoot}${up}${target}${id === '' ? '' : `#${id}`}`;
    });
  };

/** The files of a guide's project are on its page. */
const pageOf = (path: string): string =>
  path
    .replace(/\.md$/, '.html')
    .replace(/^(\w+)\/.*\.tsx?$/, (file, guide) => `${guide}.html#${toSlug(file)}`);

const moved: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog.html',
  'openapi.yaml': 'reference.html',
};
