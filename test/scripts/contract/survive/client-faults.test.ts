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
const faults: Record<string, Partial<Parts> & { found: string }> = {
  'an unknown property is rejected': { found: 'new-properties: exception', ticket: schemas.strict },
  'an unknown value of an enumeration is rejected': {
    found: 'new-enum-values: exception',
    ticket: schemas.closed,
  },
  'an unknown value becomes a known one': { found: 'new-enum-values: wrong value', ticket: schemas.known },
  'null is rejected': { found: 'nulls: exception', ticket: schemas.notNull },
  'an optional property is required': { found: 'absent-properties: exception', ticket: schemas.required },
  'an empty list is rejected': { found: 'empty-lists: exception', ticket: schemas.filled },
  'a long text is rejected': { found: 'largest-values: exception', ticket: schemas.short },
  'an empty text is rejected': { found: 'smallest-values: exception', ticket: schemas.named },
  'a large number is rejected': { found: 'largest-values: exception', ticket: schemas.small },
  'a large integer is rounded': {
    found: 'large-integers: wrong value',
    parse: (text) => JSON.parse(text),
    ticket: schemas.rounded,
  },
  'a time with an offset is rejected': { found: 'date-times: exception', ticket: schemas.utc },
  'the media type is compared with its charset': {
    found: 'charset: exception',
    isJson: (type) => type === 'application/json',
  },
  'the media type is compared with its case': {
    found: 'media-type-case: exception',
    isJson: (type) => type.startsWith('application/json'),
  },
  'numbers are searched in the text': {
    found: 'number-forms: exception',
    parse(text) {
      if (!/^\[|"id":\d+[,}]/.test(text)) throw new SyntaxError('There is no ID.');
      return JSON.parse(text);
    },
  },
  'JSON is expected in one line': {
    found: 'json-forms: wrong value',
    parse: (text) => (text.includes('\n') ? [] : JSON.parse(text)),
  },
  'each chunk is decoded by itself': {
    found: 'small-chunks: wrong value',
    async read(response) {
      let text = '';
      const reader = response.body?.getReader();
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
        text += new TextDecoder().decode(part.value);
      return text;
    },
  },
  'a pause in a body ends the request': {
    found: 'slow-body: exception',
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
  'there is no time-out': { found: 'endless-body: time-out', timeoutMs: 1_000_000 },
  'the status is ignored': {
    found: 'status-409: wrong value',
    isError: () => false,
    ticket: schemas.known.partial(),
  },
  'only one status is an error': {
    found: 'status-500: wrong value',
    isError: (status) => status === 404,
    ticket: schemas.known.partial(),
  },
  'errors lose their status': { found: 'status-404: lost status', errorOf: () => new Error('It failed.') },
  'an unknown code of an error is rejected': {
    found: 'new-error-codes: lost status',
    errorOf(status, body) {
      if (!['missing', 'conflict', 'failed', 'unavailable'].includes(Object(body).code))
        throw new Error('Unknown.');
      return rightParts.errorOf(status, body);
    },
  },
  'a response without a body is parsed': { found: 'status-204: exception', hasBody: () => true },
  'Retry-After is ignored': {
    found: 'retry-after: early retry',
    retryAfter: ({ status }) => (status === 503 ? 0 : undefined),
  },
  'Retry-After as a date is ignored': {
    found: 'retry-after-date: early retry',
    retryAfter: ({ status, headers }) =>
      status === 503 ? Number(headers.get('Retry-After')) || 0 : undefined,
  },
  'a request is repeated without end': {
    found: 'status-503: endless retries',
    maxRetries: 30,
    retryAfter: ({ status }) => (status === 503 ? 0.01 : undefined),
  },
  'only the first page is read': { found: 'small-pages: wrong value', nextOf: () => undefined },
  'the first link is taken for the next one': {
    found: 'new-links: wrong request',
    nextOf: (link) =>
      link?.includes('rel="next"') || link?.includes('added-later') ? /<([^>]*)>/.exec(link)?.[1] : undefined,
  },
  'a page in HTML is taken for data': {
    found: 'login-page: wrong value',
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
  'a body that was cut is taken for data': {
    found: 'cut-body: wrong value',
    read: (response) => response.text().catch(() => '{}'),
    ticket: schemas.known.partial(),
  },
  'items that are not understood are left out': {
    found: 'new-enum-values: wrong value',
    items: (list) => list.filter((each) => ['open', 'closed'].includes(Object(each).state)),
  },
  'an announced removal is an error': {
    found: 'deprecation: exception',
    accept(headers) {
      if (headers.has('Sunset')) throw new Error('The operation is going to be removed.');
    },
  },
  'unknown headers are an error': {
    found: 'new-headers: exception',
    accept(headers) {
      if (headers.has('X-Added-Later')) throw new TypeError('The header X-Added-Later is unknown.');
    },
  },
};

test.concurrent.each(Object.entries(faults))('found: %s', async (_name, { found, ...fault }) => {
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
