import type { HandlerResponse } from '../../../../server/pipeline/exchange.ts';
import type { ContractOperation } from '../../../../server/pipeline/operation.ts';
import type { PipelineOptions } from '../../../../server/pipeline/pipeline.ts';
import type { ExampleResponse, ExampleTable } from '../../mock/mock-contract.ts';

/** Collects equal values once. */
export interface Pool<Value> {
  /** @returns the index of the value */
  add: (value: Value) => number;
  values: readonly Value[];
}

export function createPool<Value>(): Pool<Value> {
  const indexes = new Map<string, number>();
  const values: Value[] = [];
  return {
    values,
    add(value) {
      const key = JSON.stringify(value);
      const index = indexes.get(key) ?? values.push(value) - 1;
      indexes.set(key, index);
      return index;
    },
  };
}

/**
 * Asks the mock server for every example of an operation, so that the mock inside pages has the same ones.
 * @param respond the responder of the mock server
 * @param names the names of the examples, by documented status
 */
export async function exampleTableOf(
  operation: ContractOperation,
  respond: PipelineOptions<unknown>['respond'],
  names: Readonly<Record<string, readonly string[]>>,
  pool: Pool<ExampleResponse>,
): Promise<ExampleTable> {
  const ask = async (preferences: readonly string[]) =>
    pool.add(await exampleOf(operation, respond, { prefer: preferences.join(', ') }));
  const named = (name: string) => `example="${name}"`;
  const statuses = Object.keys(operation.responses);
  const usualNames = statuses
    .filter((status) => /^(2|default)/.test(status))
    .flatMap((status) => names[status] ?? []);
  const byStatus = await table(statuses, (status) => ask([codeOf(status)]));
  // The mock responds with it to a request without preferences.
  const lowest = statuses.filter((status) => /^2\d\d$/.test(status)).sort()[0];
  const usualTypeOf = (status: string) => typeOf(pool.values[byStatus[status] ?? -1]);
  const byType = await table(statuses, async (status) => {
    const others =
      operation.responses[status]?.mediaTypes.filter((type) => type !== usualTypeOf(status)) ?? [];
    const given = await table(others, (accept) =>
      exampleOf(operation, respond, { prefer: codeOf(status), accept }),
    );
    const found = Object.entries(given).filter(([type, example]) => typeOf(example) === type);
    return Object.fromEntries(found.map(([type, example]) => [type, pool.add(example)]));
  });
  const withTypes = Object.entries(byType).filter(([, types]) => Object.keys(types).length > 0);
  return {
    usual: (lowest === undefined ? undefined : byStatus[lowest]) ?? (await ask([])),
    byStatus,
    byName: await table(usualNames, (name) => ask([named(name)])),
    byBoth: await table(statuses, (status) =>
      table(names[status] ?? [], (name) => ask([codeOf(status), named(name)])),
    ),
    ...(withTypes.length > 0 ? { byType: Object.fromEntries(withTypes) } : {}),
  };
}

async function table<Value>(keys: readonly string[], valueFor: (key: string) => Promise<Value>) {
  const entries: [string, Value][] = [];
  for (const key of keys) entries.push([key, await valueFor(key)]);
  return Object.fromEntries(entries);
}

/** Returns a status code for a documented key: the lowest one of a range, and one that only `default` can mean. */
const codeWithin = (key: string): string => (key === 'default' ? '599' : key.replaceAll(/x/gi, '0'));

const codeOf = (status: string): string => `code=${codeWithin(status)}`;

/** Returns the media type of an example with a body. */
const typeOf = (example: ExampleResponse | undefined): string | undefined =>
  example === undefined || 'missing' in example || example.body === undefined
    ? undefined
    : (example.mediaType ?? 'application/json');

async function exampleOf(
  operation: ContractOperation,
  respond: PipelineOptions<unknown>['respond'],
  headers: { prefer: string; accept?: string },
): Promise<ExampleResponse> {
  const input = { path: {}, query: {}, headers: {}, body: undefined, caller: undefined, requestId: '' };
  const request = {
    method: operation.method.toUpperCase(),
    url: operation.path,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
    rawHeaders: [],
  };
  try {
    const given = await respond(operation, input, request);
    if ('errorName' in given) return { missing: given.message };
    return plain(given);
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

/** Leaves out what JSON cannot express. Bytes become text. */
const plain = ({ status, headers, body, mediaType }: HandlerResponse): HandlerResponse => ({
  status,
  ...(headers === undefined || Object.keys(headers).length === 0 ? {} : { headers }),
  ...(body === undefined ? {} : { body: body instanceof Uint8Array ? new TextDecoder().decode(body) : body }),
  ...(mediaType === undefined ? {} : { mediaType }),
});
