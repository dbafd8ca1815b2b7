import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { survived } from '../../../../scripts/package/survived.ts';

/** The parts of a client that validates responses with Zod. A fault replaces one of them. */
export interface Parts {
  ticket: z.ZodType;
  /** Whether a body is read as JSON. */
  isJson: (contentType: string) => boolean;
  parse: (text: string) => unknown;
  read: (response: Response) => Promise<string>;
  isError: (status: number) => boolean;
  errorOf: (status: number, body: unknown) => Error;
  timeoutMs: number;
  /** Seconds to wait before a retry; undefined for no retry. */
  retryAfter: (response: Response) => number | undefined;
  maxRetries: number;
  nextOf: (link: string | null) => string | undefined;
  hasBody: (status: number) => boolean;
  accept: (headers: Headers) => void;
  items: (list: unknown[]) => unknown[];
}

const state = z.string();
const fields = {
  id: z.number().int(),
  title: z.string(),
  state,
  assignee: z.string().nullish(),
  tags: z.array(z.string()),
  updated_at: z.iso.datetime({ offset: true }).or(z.string().regex(/t.*z$/)),
  votes: z.number().int().or(z.bigint()),
};

export const rightParts: Parts = {
  ticket: z.looseObject(fields),
  isJson: (type) => /^application\/json\s*(;|$)/i.test(type),
  parse: (text) =>
    JSON.parse(text, (_name, value: unknown, context?: { source?: string }) =>
      Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(context?.source ?? '') : value,
    ),
  read: (response) => response.text(),
  isError: (status) => status >= 400,
  errorOf: (status, body) =>
    Object.assign(new Error(`The service responded ${status}.`), { status, code: Object(body).code }),
  timeoutMs: 2_000,
  retryAfter(response) {
    const value = response.headers.get('Retry-After');
    if (response.status !== 503 || value === null) return undefined;
    return /^\d+$/.test(value) ? Number(value) : Math.max(0, (Date.parse(value) - Date.now()) / 1_000);
  },
  maxRetries: 1,
  nextOf: (link) =>
    /<([^>]*)>\s*;\s*rel="next"/.exec(
      (link ?? '').replaceAll(/<[^>]*>;(?:[^<]*;)?\s*rel="(?!next)[^"]*",?/g, ''),
    )?.[1],
  hasBody: (status) => status !== 204,
  accept: () => {},
  items: (list) => list,
};

/** Faults of the Zod schema, by name. */
export const schemas = {
  strict: z.strictObject(fields),
  closed: z.looseObject({ ...fields, state: z.enum(['open', 'closed']) }),
  known: z.looseObject({ ...fields, state: z.enum(['open', 'closed']).catch('open') }),
  notNull: z.looseObject({ ...fields, assignee: z.string().optional() }),
  required: z.looseObject({ ...fields, assignee: z.string().nullable() }),
  filled: z.looseObject({ ...fields, tags: z.array(z.string()).min(1) }),
  short: z.looseObject({ ...fields, title: z.string().max(50) }),
  named: z.looseObject({ ...fields, title: z.string().min(1) }),
  utc: z.looseObject({ ...fields, updated_at: z.iso.datetime() }),
  rounded: z.looseObject({ ...fields, votes: z.number() }),
  small: z.looseObject({ ...fields, votes: z.number().max(1_000) }),
};

/** Creates the program of a team that tests its client. @param parts the client's, with one fault or without */
export const ticketProgram =
  (parts: Parts) =>
  async (environment: NodeJS.ProcessEnv): Promise<void> => {
    const { SURVIVE_URL: baseUrl = '' } = environment;
    const ask = async (
      method: string,
      path: string,
      body?: object,
    ): Promise<{ data: unknown; headers: Headers }> => {
      for (let made = 0; ; made += 1) {
        const response = await fetch(new URL(path, baseUrl), {
          method,
          signal: AbortSignal.timeout(parts.timeoutMs),
          headers: { Authorization: 'Bearer t', ...(body ? { 'Content-Type': 'application/json' } : {}) },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        parts.accept(response.headers);
        const { status, headers } = response;
        const seconds = parts.retryAfter(response);
        const text = await parts.read(response);
        if (seconds !== undefined && made < parts.maxRetries && method === 'GET') {
          await wait(seconds * 1_000);
          continue;
        }
        if (!parts.hasBody(status)) return { data: undefined, headers };
        const isJson = parts.isJson(headers.get('Content-Type') ?? '');
        const content = isJson ? parts.parse(text) : text;
        if (parts.isError(status)) throw parts.errorOf(status, content);
        if (!isJson) throw parts.errorOf(status, undefined);
        return { data: content, headers };
      }
    };
    const base = new URL(baseUrl).pathname;
    const list = async () => {
      const all: unknown[] = [];
      let next: string | undefined = `${base}/tickets`;
      const seen = new Set<string>();
      while (next !== undefined && !seen.has(next)) {
        seen.add(next);
        const { data, headers }: { data: unknown; headers: Headers } = await ask('GET', next);
        all.push(...parts.items(z.array(z.unknown()).parse(data)).map((each) => parts.ticket.parse(each)));
        next = parts.nextOf(headers.get('Link'));
      }
      return all;
    };
    const one = async (method: string, path: string, body?: object) => {
      const { data } = await ask(method, path, body);
      return data === undefined ? undefined : parts.ticket.parse(data);
    };
    await survived(() => one('GET', `${base}/tickets/1`), { environment });
    await survived(list, { complete: true, environment });
    await survived(() => one('POST', `${base}/tickets`, { title: 'Third' }), { environment });
    await survived(() => one('DELETE', `${base}/tickets/1`), { environment });
  };
