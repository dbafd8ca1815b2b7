import type { IncomingMessage } from 'node:http';

/** The paths of a request, without the query. */
export interface RequestPaths {
  /** The path that routers compare next: below the path of the mount, if there is one. */
  url: string;
  /** The path with that of the mount. */
  whole: string;
  /** The path that the client sent, before other middleware rewrote it. */
  original: string;
  /** The path of the mount; empty at the root. */
  mount: string;
}

/** Returns the paths of a request as Express reads them, which is how its routers match them. */
export function expressPaths(req: IncomingMessage): RequestPaths {
  // Express parses some request targets in ways of its own, such as those with `#` or a no-break space.
  const url = textOf(req, 'path') ?? pathOf(req.url ?? '');
  const mount = textOf(req, 'baseUrl') ?? '';
  const original = textOf(req, 'originalUrl');
  const whole = mount + url;
  return {
    url,
    whole,
    original: original === undefined || original === req.url ? whole : pathOf(original),
    mount,
  };
}

function textOf(req: IncomingMessage, name: string): string | undefined {
  const value: unknown = Reflect.get(req, name);
  return typeof value === 'string' ? value : undefined;
}

/** Returns the path of a request target, which may be a whole URL (RFC 9112, section 3.2). */
const pathOf = (target: string): string => {
  const [path = ''] = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return path === '' ? '/' : path;
};

/** Whether a path is below a base path, in any notation that routers or middleware could resolve. */
export function isBelow(base: string, path: string): boolean {
  const wanted = `${foldPath(base)}/`;
  return (
    wanted === '/' || `${foldPath(path)}/`.startsWith(wanted) || `${resolvePath(path)}/`.startsWith(wanted)
  );
}

/** Whether a path ends with a base path. */
export const endsWith = (path: string, base: string): boolean => foldPath(path).endsWith(foldPath(base));

const foldPath = (path: string): string => path.split('/').map(fold).join('/').replace(/\/+$/, '');

/** Returns a text in lower case and without percent-encoding. */
function fold(text: string): string {
  try {
    return decodeURIComponent(text).toLowerCase();
  } catch {
    return text.toLowerCase();
  }
}

/** Returns the paths above a path, and the path itself, in two notations, with at most `deepest` segments. */
export const prefixesOf = (path: string, deepest: number): string[] =>
  [path, resolvePath(path)].flatMap((notation) => {
    const segments = notation.split('/', deepest);
    return segments.map((_, index) => segments.slice(0, index + 1).join('/')).slice(1);
  });

/** Returns a path without percent-encoding, backslashes, empty segments and dot segments. */
function resolvePath(path: string): string {
  const segments: string[] = [];
  for (const segment of fold(path).split(/[/\\]/))
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  return segments.map((segment) => `/${segment}`).join('');
}
