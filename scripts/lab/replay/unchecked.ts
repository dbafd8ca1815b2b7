import type { IncomingHttpHeaders } from 'node:http';
import { wordingOf } from '../../../server/lib/wording.ts';

/** A request that our validation has refused. */
export interface RefusedRequest {
  operation: string;
  method: string;
  url: string;
  /** The token is replaced. */
  headers: IncomingHttpHeaders;
  body: string;
  /** Our error response. */
  refusal: { status: number; fields: string; message: string };
}

/** A property of requests that the stock middleware does not check, so that it accepts what our validation refuses. */
interface Unchecked {
  name: string;
  what: string;
  /** Whether one of the messages of our error response is about it, such as `query/page must be an integer`. */
  isAbout: (problem: string, request: Pick<RefusedRequest, 'url' | 'headers'>) => boolean;
}

const isPlainInteger = (text: string): boolean => /^-?(0|[1-9]\d*)$/.test(text);

const isAt = (problem: string, location: RegExp, wording: string): boolean =>
  problem.endsWith(` ${wording}`) && location.test(problem.slice(0, -wording.length - 1));

/** Returns the values of a parameter of the query, or the segments of the path that are no names. */
function valuesAt(location: string, url: string): string[] {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const [part, name = ''] = location.split('/');
  return part === 'query'
    ? searchParams.getAll(name)
    : pathname.split('/').filter((segment) => !/^([a-z]\w*)?$/i.test(segment));
}

// None of them has an issue: they are limits of what the middleware wants to check, or of what Express passes to it.
export const unchecked: readonly Unchecked[] = [
  {
    name: 'number notation',
    what: 'It accepts every notation of JavaScript in parameters: 1e2, 0x10, spaces (D01).',
    isAbout: (problem, { url }) =>
      isAt(problem, /^(query|path)\/\S+$/, wordingOf('type', { type: 'integer' })) &&
      valuesAt(problem.split(' ', 1)[0] ?? '', url).some((text) => !isPlainInteger(text)),
  },
  {
    name: 'invalid text',
    what: 'It does not look for NUL and lone surrogates, which databases cannot store.',
    isAbout: (problem) => / contains (a name with )?NUL or a lone surrogate$/.test(problem),
  },
  {
    name: 'UTF-8',
    what: 'express.json() replaces what is no UTF-8 in front of it.',
    isAbout: (problem) => problem === 'The body is not valid JSON in UTF-8',
  },
  {
    name: 'charset',
    what: 'It does not look at parameters of the media type, and express.json() decodes some charsets.',
    isAbout: (problem, { headers }) =>
      /^The body must be sent as .*, in UTF-8$/.test(problem) &&
      headers['content-type']?.includes(';') === true,
  },
  {
    name: 'coding',
    what: 'It does not look at codings, and express.json() decodes some.',
    isAbout: (problem) =>
      problem === 'The body must have no content coding' ||
      problem === 'The only supported transfer coding is chunked',
  },
  {
    name: 'missing body',
    what: 'It accepts a request without its required body if Content-Type announces one.',
    isAbout: (problem, { headers }) =>
      isAt(problem, /^body$/, wordingOf('required')) &&
      headers['content-type'] !== undefined &&
      headers['content-length'] === undefined &&
      headers['transfer-encoding'] === undefined,
  },
  {
    name: 'repeated header',
    what: 'Node joins the values of a repeated header, and the middleware sees one.',
    isAbout: (problem) => isAt(problem, /^header\/\S+$/, wordingOf('repeated')),
  },
];

/** Returns what explains that the stock middleware accepts a request that our validation has refused. */
export const uncheckedIn = (request: Omit<RefusedRequest, 'operation'>): Unchecked | undefined =>
  unchecked.find(({ isAbout }) =>
    request.refusal.message
      .replace(/\.$/, '')
      .split('; ')
      .every((problem) => isAbout(problem, request)),
  );
