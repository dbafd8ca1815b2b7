import { mockToken, mockTokenWith } from '../../../../scripts/contract/mock/authenticate.ts';
import type { Contract } from '../../../../scripts/contract/model/contract.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import { requestOperations } from '../../../../scripts/testing/requests/request-operations.ts';
import { requestSpaceOf } from '../../../../scripts/testing/requests/request-space.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';
import { type RequestCase, requestCasesOf } from './request-cases.ts';

/** A request as JSON, for `fetch` in any environment. */
export interface FetchCase {
  what: string;
  /** Path and query. */
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const tokens: Record<RequestCase['caller'], string | undefined> = {
  all: mockToken,
  'too little': mockTokenWith(['fields:read']),
  nobody: undefined,
  'an unknown token': 'unknown',
};

/** Headers that `fetch` sets itself, or never sends. */
const forbidden = /^(host|connection|content-length|transfer-encoding|expect|cookie|te|upgrade|keep-alive)$/i;

/** Returns requests of every operation that `fetch` can send: examples, limits, valid and invalid ones. */
export function fetchCases(contract: Contract): FetchCase[] {
  const documented = operationsOf(createSchemaContext(contract.view('response').document));
  const context = createSchemaContext(contract.view('request').document);
  const counts = { valid: sampleCount(5), invalid: sampleCount(1), seed };
  const cases = requestOperations(contract, context, documented).flatMap((operation) =>
    requestCasesOf(context, requestSpaceOf(context, operation), counts),
  );
  return cases.flatMap(({ what, wire, caller }): FetchCase[] => {
    const token = tokens[caller];
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    for (const [name, value] of Object.entries(wire.headers)) {
      // `fetch` sends a header in one line.
      if (typeof value !== 'string') return [];
      headers[name] = value;
    }
    const url = (wire.basePath ?? '') + wire.target;
    const given: FetchCase = { what, url, method: wire.method, headers, body: wire.body };
    return isExpressible(given) ? [given] : [];
  });
}

function isExpressible({ url, method, headers, body }: FetchCase): boolean {
  if (Object.values(headers).some((value) => !/^[\x20-\x7e]*$/.test(value))) return false;
  if (Object.keys(headers).some((name) => forbidden.test(name))) return false;
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) return false;
  // `fetch` normalizes paths.
  const { pathname, search } = new URL(url, 'http://mock');
  return pathname + search === url;
}

/** The parts of a response that are compared. */
export interface Outcome {
  status: number;
  text: string;
  headers: Record<string, string | null>;
}

/** Sends a request with any `fetch`. It also runs in browsers, alone, so it uses nothing else of this module. */
export async function outcomeOf(
  { url, method, headers, body }: FetchCase,
  base: string,
  fetchLike: (url: string, init: RequestInit) => Promise<Response>,
): Promise<Outcome> {
  const names = ['Content-Type', 'Link', 'X-Total-Count', 'ETag', 'Allow', 'WWW-Authenticate', 'Retry-After'];
  const response = await fetchLike(base + url, { method, headers, ...(body === undefined ? {} : { body }) });
  return {
    status: response.status,
    text: await response.text(),
    headers: Object.fromEntries(names.map((name) => [name, response.headers.get(name)])),
  };
}

type Fetch = Parameters<typeof outcomeOf>[2];

/** Sends each request to the mock server and to the mock inside this process. @returns the requests with differences */
export async function differencesOf(cases: readonly FetchCase[], base: string, mock: { fetch: Fetch }) {
  const differences = [];
  for (const each of cases) {
    const [there, here] = [await outcomeOf(each, base, fetch), await outcomeOf(each, base, mock.fetch)];
    if (JSON.stringify(there) !== JSON.stringify(here)) differences.push({ ...each, there, here });
  }
  return differences;
}
