import { isObject } from '../../../server/lib/json-object.ts';
import { PipelineError } from '../../../server/pipeline/errors.ts';
import type { HandlerResponse } from '../../../server/pipeline/exchange.ts';
import { isMessageHeader } from '../../../server/pipeline/ignored-headers.ts';
import { isJson } from '../../../server/pipeline/media-type.ts';
import type { PipelineOptions } from '../../../server/pipeline/pipeline.ts';
import { concrete } from '../../testing/requests/parts.ts';
import type { ContractConfig } from '../config.ts';
import { byQuality } from '../mock/negotiate.ts';
import { parsePrefer } from '../mock/prefer.ts';
import type { Contract } from '../model/contract.ts';
import type { Content, OperationResponse, ResponseHeader } from '../model/operation.ts';

type Respond = PipelineOptions<unknown>['respond'];

/** The body of a response without an example. The caller generates one. */
export const noExample = Symbol('no example');

/**
 * Creates a responder that returns the contract's examples.
 * @param sendsOptionalHeader decides which optional headers are sent (default: all)
 * @returns the `respond` option of a pipeline. Headers without an example have the value null, and bodies are `noExample`. It
 *   throws PipelineError if the operation documents no such response
 */
export function createExampleResponse(
  contract: Contract,
  { sendsOptionalHeader = () => true }: Pick<ContractConfig, 'sendsOptionalHeader'>,
): Respond {
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  return async ({ id }, _input, { headers: { prefer, accept } }) => {
    const { responses = {} } = operations.get(id) ?? {};
    // An operation may document no responses at all.
    if (Object.keys(responses).length === 0) return { status: 200 };
    const preferences = [prefer ?? []].flat().join(', ') || undefined;
    const { key, status, example } = choose(responses, parsePrefer(prefer));
    const response = responses[key];
    if (!response) throw new PipelineError('notFound', { message: 'The mock has no such response.' });
    const headers = response.headers.filter(
      ({ name, required }) =>
        isSentByMock(name) && (required || sendsOptionalHeader(name.toLowerCase(), preferences)),
    );
    return {
      status,
      headers: Object.fromEntries(headers.map((header) => [header.name, exampleOf(contract, header)])),
      ...contentOf(response, example, accept),
    };
  };
}

/** The pipeline sets the others. */
const isSentByMock = (name: string): boolean =>
  !isMessageHeader(name) && name.toLowerCase() !== 'x-request-id';

interface Choice {
  /** The documented key of the response. */
  key: string;
  status: number;
  /** The name of the requested example. */
  example: string | undefined;
}

/** @throws PipelineError if the operation does not document the requested status or example */
function choose(
  responses: Readonly<Record<string, OperationResponse>>,
  { code, exampleKey: example }: Pick<ReturnType<typeof parsePrefer>, 'code' | 'exampleKey'>,
): Choice {
  const keys = Object.keys(responses);
  const successful = [
    ...keys.filter((key) => /^2/.test(key)).sort(),
    ...keys.filter((key) => key === 'default'),
  ];
  // An operation may document errors only.
  const usual = successful.length > 0 ? successful : keys.toSorted();
  const candidates = code === undefined ? usual : keysFor(keys, code);
  if (code !== undefined && candidates.length === 0)
    throw unknownPreference(`This operation does not document ${code}. Documented: ${keys.join(', ')}.`);
  const names = candidates.flatMap((key) => namesIn(responses[key]));
  if (example !== undefined && !names.includes(example))
    throw unknownPreference(`There is no example ${example}. Examples: ${names.join(', ')}.`);
  const key = candidates.find((each) => example === undefined || namesIn(responses[each]).includes(example));
  if (key === undefined) throw new PipelineError('notFound', { message: 'The mock has no such response.' });
  return { key, status: code ?? statusOf(key), example };
}

/** Returns a status code for a documented key. */
const statusOf = (key: string): number => (key === 'default' ? 200 : Number(key.replaceAll(/x/gi, '0')));

/** Returns the documented keys for a status code: itself, its range and `default`. */
const keysFor = (keys: readonly string[], code: number): string[] =>
  [String(code), `${Math.floor(code / 100)}XX`, 'default'].flatMap((wanted) =>
    keys.filter((key) => key.toUpperCase() === wanted.toUpperCase()),
  );

const namesIn = (response: OperationResponse | undefined): string[] =>
  (response?.content ?? []).flatMap(({ examples }) => examples.map(({ name }) => name));

const unknownPreference = (message: string) =>
  new PipelineError('validationFailed', { message, fields: 'header/Prefer' });

/** Returns the body in the media type that the client prefers, or in the one that has the requested example. */
function contentOf(
  { content }: OperationResponse,
  example: string | undefined,
  accept: string | undefined,
): Pick<HandlerResponse, 'body' | 'mediaType'> {
  const named = content.filter(({ examples }) => examples.some(({ name }) => name === example));
  const candidates = example === undefined ? content : named;
  // As in the service, a response may have a type that was not requested (RFC 9110, section 12.4.1). JSON comes first.
  const types = candidates.map(({ mediaType }) => mediaType);
  const [preferred] = byQuality(accept, [...types.filter(isJson), ...types.filter((type) => !isJson(type))]);
  const chosen = candidates.find(({ mediaType }) => mediaType === preferred);
  if (!chosen) return {};
  const found =
    example === undefined ? chosen.examples[0] : chosen.examples.find(({ name }) => name === example);
  const body = found === undefined ? noExample : asBody(found.value, chosen);
  return { body, mediaType: sendableType(chosen.mediaType, body) };
}

/** Text types have text, also if their example is written as a value. */
const asBody = (value: unknown, { mediaType }: Content): unknown =>
  isJson(mediaType) || typeof value === 'string' || !mediaType.startsWith('text/')
    ? value
    : JSON.stringify(value);

/** Returns a concrete type for a range. The pipeline sends strings unserialized, so they are not labeled as JSON. */
const sendableType = (mediaType: string, body: unknown): string =>
  typeof body === 'string' && /^(\*|application)\/\*$/.test(mediaType)
    ? 'application/octet-stream'
    : concrete(mediaType);

/** Returns the example of a header; null if it has none. */
function exampleOf({ follow }: Contract, { node, schema }: ResponseHeader): unknown {
  if (node.example !== undefined) return node.example;
  const [named] = isObject(node.examples) ? Object.values(node.examples) : [];
  if (named !== undefined) return follow(named).node.value ?? null;
  const { example, examples, default: usual, const: only } = follow(schema).node;
  return example ?? (Array.isArray(examples) ? examples[0] : undefined) ?? usual ?? only ?? null;
}
