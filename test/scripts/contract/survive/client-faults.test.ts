import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { wireScenarios } from '../../../../scripts/contract/survive/wire-scenarios.ts';
import { compiled, problemsIn, surviveProgram } from './run-in-process.ts';
import { type Parts, rightParts, schemas, ticketProgram } from './ticket-client.ts';

const mock = await compiled('test/scripts/contract/survive/tickets.yaml');
const options = { mock, basePath: '/v1', token: 't' };

test('a client that validates with Zod, and is right, survives every scenario', async () => {
  const report = await surviveProgram(ticketProgram(rightParts), { ...options, jobs: 8 });
  expect(problemsIn(report)).toEqual([]);
  expect(report.notApplicable).toEqual([]);
  expect(report.baseline.operations.sort()).toEqual([
    'createTicket',
    'deleteTicket',
    'getTicket',
    'listTickets',
  ]);
});

/** Faults, each with what finds it. */
const faults: Record<string, [fault: Partial<Parts>, found: string]> = {
  'an unknown property is rejected': [{ ticket: schemas.strict }, 'new-properties: exception'],
  'an unknown value of an enumeration is rejected': [
    { ticket: schemas.closed },
    'new-enum-values: exception',
  ],
  'an unknown value becomes a known one': [{ ticket: schemas.known }, 'new-enum-values: wrong value'],
  'null is rejected': [{ ticket: schemas.notNull }, 'nulls: exception'],
  'an optional property is required': [{ ticket: schemas.required }, 'absent-properties: exception'],
  'an empty list is rejected': [{ ticket: schemas.filled }, 'empty-lists: exception'],
  'a long text is rejected': [{ ticket: schemas.short }, 'largest-values: exception'],
  'an empty text is rejected': [{ ticket: schemas.named }, 'smallest-values: exception'],
  'a large number is rejected': [{ ticket: schemas.small }, 'largest-values: exception'],
  'a large integer is rounded': [
    { parse: (text) => JSON.parse(text), ticket: schemas.rounded },
    'large-integers: wrong value',
  ],
  'a time with an offset is rejected': [{ ticket: schemas.utc }, 'date-times: exception'],
  'the media type is compared with its charset': [
    { isJson: (type) => type === 'application/json' },
    'charset: exception',
  ],
  'the media type is compared with its case': [
    { isJson: (type) => type.startsWith('application/json') },
    'media-type-case: exception',
  ],
  'numbers are searched in the text': [
    {
      parse(text) {
        if (!/^\[|"id":\d+[,}]/.test(text)) throw new SyntaxError('There is no ID.');
        return JSON.parse(text);
      },
    },
    'number-forms: exception',
  ],
  'JSON is expected in one line': [
    { parse: (text) => (text.includes('\n') ? [] : JSON.parse(text)) },
    'json-forms: wrong value',
  ],
  'each chunk is decoded by itself': [
    {
      async read(response) {
        let text = '';
        const reader = response.body?.getReader();
        for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
          text += new TextDecoder().decode(part.value);
        return text;
      },
    },
    'small-chunks: wrong value',
  ],
  'a pause in a body ends the request': [
    {
      async read(response) {
        let text = '';
        const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
        for (;;) {
          const part = await Promise.race([reader?.read(), wait(text === '' ? 60_000 : 300)]);
          if (!part) throw new Error('The body has paused.');
          if (part.done) return text;
          text += part.value;
        }
      },
    },
    'slow-body: exception',
  ],
  'there is no time-out': [{ timeoutMs: 1_000_000 }, 'endless-body: time-out'],
  'the status is ignored': [
    { isError: () => false, ticket: schemas.known.partial() },
    'status-409: wrong value',
  ],
  'only one status is an error': [
    { isError: (status) => status === 404, ticket: schemas.known.partial() },
    'status-500: wrong value',
  ],
  'errors lose their status': [{ errorOf: () => new Error('It failed.') }, 'status-404: lost status'],
  'an unknown code of an error is rejected': [
    {
      errorOf(status, body) {
        if (!['missing', 'conflict', 'failed', 'unavailable'].includes(Object(body).code))
          throw new Error('Unknown.');
        return rightParts.errorOf(status, body);
      },
    },
    'new-error-codes: lost status',
  ],
  'a response without a body is parsed': [{ hasBody: () => true }, 'status-204: exception'],
  'Retry-After is ignored': [
    { retryAfter: ({ status }) => (status === 503 ? 0 : undefined) },
    'retry-after: early retry',
  ],
  'Retry-After as a date is ignored': [
    {
      retryAfter: ({ status, headers }) =>
        status === 503 ? Number(headers.get('Retry-After')) || 0 : undefined,
    },
    'retry-after-date: early retry',
  ],
  'a request is repeated without end': [
    { maxRetries: 30, retryAfter: ({ status }) => (status === 503 ? 0.01 : undefined) },
    'status-503: endless retries',
  ],
  'only the first page is read': [{ nextOf: () => undefined }, 'small-pages: wrong value'],
  'the first link is taken for the next one': [
    {
      nextOf: (link) =>
        link?.includes('rel="next"') || link?.includes('added-later')
          ? /<([^>]*)>/.exec(link)?.[1]
          : undefined,
    },
    'new-links: wrong request',
  ],
  'a page in HTML is taken for data': [
    {
      isJson: () => true,
      parse(text) {
        try {
          return JSON.parse(text);
        } catch {
          return text;
        }
      },
      ticket: z.unknown(),
      isError: (status) => status >= 400,
    },
    'login-page: wrong value',
  ],
  'a body that was cut is taken for data': [
    {
      read: (response) => response.text().catch(() => '{}'),
      ticket: schemas.known.partial(),
    },
    'cut-body: wrong value',
  ],
  'items that are not understood are left out': [
    {
      items: (list) => list.filter((each) => ['open', 'closed'].includes(Object(each).state)),
    },
    'new-enum-values: wrong value',
  ],
  'an announced removal is an error': [
    {
      accept(headers) {
        if (headers.has('Sunset')) throw new Error('The operation is going to be removed.');
      },
    },
    'deprecation: exception',
  ],
  'unknown headers are an error': [
    {
      accept(headers) {
        if (headers.has('X-Added-Later')) throw new TypeError('The header X-Added-Later is unknown.');
      },
    },
    'new-headers: exception',
  ],
};

test.concurrent.each(Object.keys(faults))('found: %s', async (name) => {
  const [fault, found] = faults[name] ?? [{}, ''];
  const [scenario = ''] = found.split(':');
  const report = await surviveProgram(ticketProgram({ ...rightParts, ...fault }), {
    ...{ ...options, only: [scenario] },
    // Without a time-out, the program waits until it is stopped.
    ...(scenario === 'endless-body' ? { timeoutMs: 4_000 } : {}),
  });
  expect(problemsIn(report)).toContain(found);
});

test('scenarios without an effect are tried in one run, and none hides another', async () => {
  const harmless = [...mock.scenarios, ...wireScenarios].filter(({ effect }) => effect === 'nothing');
  const accept = (headers: Headers) => {
    if (headers.has('X-Added-Later')) throw new TypeError('The header X-Added-Later is unknown.');
  };
  const program = ticketProgram({ ...rightParts, ticket: schemas.strict, accept });
  const report = await surviveProgram(program, { ...options, only: harmless.map(({ name }) => name) });
  expect(problemsIn(report)).toEqual(
    expect.arrayContaining(['new-properties: exception', 'new-headers: exception']),
  );
});
