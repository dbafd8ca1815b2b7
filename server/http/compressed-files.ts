import { readFile, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

const compressible = new Set([
  '.html',
  '.js',
  '.css',
  '.json',
  '.yaml',
  '.svg',
  '.txt',
  '.md',
  '.xml',
  '.map',
]);

const compress = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      // Higher qualities take ten times as long for a few percent.
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
};

type Encoding = keyof typeof compress;

interface CompressedFile {
  etag: string;
  bodies: Map<Encoding, Promise<Buffer>>;
}

/**
 * Serves the text files of a folder compressed. Each version of a file is compressed once per encoding, and one at a time.
 * Other requests are passed on.
 */
export function serveCompressed(folder: string): RequestHandler {
  const root = resolve(folder);
  // Has at most one entry per file of the folder.
  const files = new Map<string, CompressedFile>();
  let last: Promise<unknown> = Promise.resolve();

  const bodyOf = (path: string, { bodies }: CompressedFile, encoding: Encoding): Promise<Buffer> => {
    const known = bodies.get(encoding);
    if (known) return known;
    const made = last.then(async () => compress[encoding](await readFile(path)));
    last = made.catch(() => bodies.delete(encoding));
    bodies.set(encoding, made);
    return made;
  };

  return async (req, res, next) => {
    // The folder itself without a slash, which `express.static` redirects, has the path `/` as well.
    const isRedirected = req.path === '/' && !(req.originalUrl.split('?', 1)[0] ?? '').endsWith('/');
    const path = isRedirected ? undefined : pathOf(root, req.path);
    if (path === undefined || !compressible.has(extname(path))) return next();
    res.vary('Accept-Encoding');
    const encoding = req.acceptsEncodings('br', 'gzip', 'identity');
    const isConditional = req.headers['if-match'] ?? req.headers['if-unmodified-since'];
    if ((encoding !== 'br' && encoding !== 'gzip') || isConditional !== undefined) return next();
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) return next();
    // Weak, so that it holds for all encodings, and the same as that of uncompressed responses.
    const etag = `W/"${found.size.toString(16)}-${found.mtime.getTime().toString(16)}"`;
    const known = files.get(path);
    const file = known?.etag === etag ? known : { etag, bodies: new Map() };
    files.set(path, file);
    const body = await bodyOf(path, file, encoding);
    res.set({ ETag: etag, 'Last-Modified': found.mtime.toUTCString(), 'Content-Encoding': encoding });
    res.type(extname(path)).send(body);
  };
}

/** Returns the path of a file; undefined if it is hidden, outside the folder, or cannot be decoded. */
function pathOf(root: string, requested: string): string | undefined {
  try {
    const decoded = decodeURIComponent(requested);
    if (/\0|\\|\/\./.test(decoded)) return undefined;
    const path = join(root, decoded.endsWith('/') ? `${decoded}index.html` : decoded);
    return path.startsWith(root + sep) ? path : undefined;
  } catch {
    return undefined;
  }
}
