import { usualStatusOf } from '../example-response.ts';
import type { MockContract, MockOperation } from '../mock-contract.ts';
import { qualityOf } from '../negotiate.ts';
import { type Scenario, type ScenarioResponse, withoutHeader } from './scenario.ts';

const unchanged = (response: ScenarioResponse) => response;

/** Returns one scenario for each status that the contract documents, without the usual ones. */
export function statusScenarios({ operations }: MockContract): Scenario[] {
  const documents = (operation: MockOperation, status: number) =>
    Object.hasOwn(operation.examples, status) && usualStatusOf(operation) !== status;
  const statuses = new Set(
    operations.flatMap((operation) =>
      Object.keys(operation.examples)
        .filter((key) => /^\d{3}$/.test(key))
        .map(Number)
        .filter((status) => documents(operation, status)),
    ),
  );
  return [...statuses].sort().map((status) => ({
    name: `status-${status}`,
    class: 'documented',
    title: `Operations that document the status ${status} respond with it.`,
    effect: status < 400 ? 'values' : 'error',
    legal: 'contract',
    preferFor: (operation) => (documents(operation, status) ? `code=${status}` : undefined),
    change: unchanged,
  }));
}

/** The first request of each operation gets a response with `Retry-After`. */
const retryScenario = (name: string, form: string, value: () => string): Scenario => ({
  name,
  class: 'documented',
  title: `The first request of each operation gets 429 or 503 with a Retry-After of one second, as ${form}.`,
  effect: 'error',
  legal: 'contract',
  preferFor(operation, earlierRequests) {
    const status = retryStatusOf(operation);
    return earlierRequests === 0 && status !== undefined ? `code=${status}` : undefined;
  },
  change: (response) => ({
    ...response,
    headers: { ...withoutHeader(response.headers, 'retry-after'), 'Retry-After': value() },
  }),
});

/** Returns the status with which an operation documents the header `Retry-After`. */
const retryStatusOf = ({ responses }: MockOperation): number | undefined =>
  [503, 429].find((status) => responses[status]?.headers.some(({ name }) => name === 'retry-after'));

/** Returns a time that is one to two seconds from now; dates have whole seconds. */
const soon = () => new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 1_000).toUTCString();

export const retryScenarios: readonly Scenario[] = [
  retryScenario('retry-after', 'a number', () => '1'),
  retryScenario('retry-after-date', 'a date', soon),
];

export const deprecation: Scenario = {
  name: 'deprecation',
  class: 'documented',
  title: 'Responses announce a deprecation and a removal by Deprecation and Sunset.',
  effect: 'nothing',
  legal: { standard: 'RFC 9745, section 2, and RFC 8594, section 3' },
  change: (response) => ({
    ...response,
    headers: {
      ...response.headers,
      Deprecation: '@1767225600',
      Sunset: 'Fri, 31 Dec 2100 23:59:59 GMT',
    },
  }),
};

/** Returns a scenario for the media types of a contract that responses have only on request, if there are any. */
export const mediaTypeScenarios = ({ operations }: MockContract): Scenario[] =>
  operations.some((operation) => otherTypes(operation).length > 0)
    ? [
        {
          name: 'media-types',
          class: 'documented',
          title:
            'Responses have another documented media type, if the header Accept of the request admits it.',
          effect: 'values',
          legal: 'contract',
          alone: true,
          acceptOf: (operation, accept) => otherTypes(operation).find((type) => qualityOf(accept, type) > 0),
          change: unchanged,
        },
      ]
    : [];

/** Returns the media types of successful responses that are not the usual ones, without ranges. */
const otherTypes = ({ examples }: MockOperation): string[] =>
  Object.entries(examples)
    .filter(([status]) => /^(2|default)/.test(status))
    .flatMap(([, { content }]) => content.slice(1).map(({ mediaType }) => mediaType))
    .filter((mediaType) => !mediaType.includes('*'));
