import { PipelineError } from '../../../server/contract/errors.ts';
import type { HandlerResponse, RequestHead, ValidatedInput } from '../../../server/contract/exchange.ts';
import { documentedStatus } from '../../../server/contract/validate-response.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import type { ContentExamples, MockContract, MockOperation, ResponseExamples } from './mock-contract.ts';
import { byQuality, typeInRange } from './negotiate.ts';
import { matchingExample, personalize } from './personalize.ts';
import { type Preferences, parsePrefer, preferOf } from './prefer.ts';

/** A chosen example response. */
export interface ChosenExample {
  response: HandlerResponse;
  /** The documented key of the status. */
  key: string;
  /** Undefined if the response has no body. */
  content: ContentExamples | undefined;
}

/**
 * Chooses an example response of an operation by the headers `Prefer` and `Accept` of a request.
 * @throws PipelineError if the operation does not document the response; Error if it documents a body without values
 */
export function chooseExample(
  { bodies, rules: { sendsOptionalHeader = () => true } }: MockContract,
  { examples, responses }: MockOperation,
  request: Pick<RequestHead, 'headers'>,
): ChosenExample {
  // An operation may document no responses at all.
  if (Object.keys(examples).length === 0) return { response: { status: 200 }, key: '', content: undefined };
  const prefer = preferOf(request);
  const { code, exampleKey } = parsePrefer(prefer);
  const key = chooseKey(examples, code, exampleKey);
  const { headers = {}, content = [] } = examples[key] ?? {};
  const isSent = (name: string) =>
    responses[key]?.headers.some((header) => header.name === name && header.required) ||
    sendsOptionalHeader(name, prefer || undefined);
  const chosen = chooseContent(content, exampleKey, request.headers.accept);
  return {
    response: {
      status: code ?? statusOf(key),
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => isSent(name.toLowerCase()))),
      ...(chosen ? bodyOf(bodies, chosen, exampleKey, request.headers.accept) : {}),
    },
    key,
    content: chosen,
  };
}

/**
 * Returns an example response of an operation, fitted to the request unless it asks for the example by name.
 * @throws PipelineError if the operation does not document the response; Error if it documents a body without values
 */
export function exampleResponse(
  contract: MockContract,
  operation: MockOperation,
  input: ValidatedInput,
  request: Pick<RequestHead, 'headers' | 'url'>,
): HandlerResponse {
  const { response, content: { facts } = {} } = chooseExample(contract, operation, request);
  const isFitted = facts && response.status < 300 && parsePrefer(preferOf(request)).exampleKey === undefined;
  if (!isFitted) return response;
  const body = matchingExample(contract.bodies, facts, input) ?? response.body;
  return personalize({ ...response, body }, facts, input, request.url ?? '/');
}

/**
 * Returns the example of a documented status, for an override.
 * @throws Error if the operation does not document the status
 */
export function exampleOfStatus(
  contract: MockContract,
  operation: MockOperation,
  input: ValidatedInput,
  { url, status }: Pick<RequestHead, 'url'> & { status: number },
): HandlerResponse {
  if (documentedStatus(operation.examples, status) === undefined)
    throw new Error(`${operation.id} does not document the status ${status} of its override.`);
  return exampleResponse(contract, operation, input, { url, headers: { prefer: `code=${status}` } });
}

/** Returns the status of a response without preferences. */
export function usualStatusOf({ examples }: MockOperation): number | undefined {
  const [key] = usualKeys(Object.keys(examples));
  return key === undefined ? undefined : statusOf(key);
}

/** Returns the keys of successful responses and redirects, lowest first; all keys of an operation that documents only errors. */
function usualKeys(keys: readonly string[]): string[] {
  const successful = keys.filter((key) => /^(2|30[1-378]|default)/.test(key)).sort();
  return successful.length > 0 ? successful : [...keys].sort();
}

/** Returns the status code of a response with a documented key. */
export const statusOf = (key: string): number => (key === 'default' ? 200 : Number(key.replaceAll('X', '0')));

/** @throws PipelineError if the operation does not document the requested status or example */
function chooseKey(
  examples: Readonly<Record<string, ResponseExamples>>,
  code: Preferences['code'],
  name: Preferences['exampleKey'],
): string {
  // Without a final response after it, a client waits (RFC 9110, section 15.2).
  const keys = Object.keys(examples).filter((key) => !key.startsWith('1'));
  const requested = code === undefined || code < 200 ? undefined : documentedStatus(examples, code);
  const candidates = code === undefined ? usualKeys(keys) : [requested ?? []].flat();
  const namesIn = (key: string) => (examples[key]?.content ?? []).flatMap(({ named }) => Object.keys(named));
  const chosen = candidates.find((key) => name === undefined || namesIn(key).includes(name));
  if (chosen !== undefined) return chosen;
  throw new PipelineError('validationFailed', {
    message:
      candidates.length === 0
        ? `This operation does not document ${code ?? 'a final response'}. Documented: ${keys.join(', ') || 'none'}.`
        : `There is no example ${name}. Examples: ${candidates.flatMap(namesIn).join(', ')}.`,
    fields: 'header/Prefer',
  });
}

/** Returns the media type that the client prefers, or the one that has the requested example. */
function chooseContent(
  content: readonly ContentExamples[],
  name: string | undefined,
  accept: string | undefined,
): ContentExamples | undefined {
  const candidates = name === undefined ? content : content.filter(({ named }) => Object.hasOwn(named, name));
  // As in the service, a response may have a type that was not requested (RFC 9110, section 12.4.1).
  const types = candidates.map(({ mediaType }) => mediaType);
  const [preferred] = byQuality(accept, types);
  return candidates.find(({ mediaType }) => mediaType === preferred);
}

function bodyOf(
  bodies: MockContract['bodies'],
  { mediaType, usual, named }: ContentExamples,
  name: string | undefined,
  accept: string | undefined,
): Pick<HandlerResponse, 'body' | 'mediaType'> {
  const found = bodies[(name === undefined ? undefined : ownOf(named, name)) ?? usual];
  if (!found || 'missing' in found) throw new Error(found?.missing ?? 'The mock has no such body.');
  return { ...found, mediaType: typeInRange(accept, mediaType, found.mediaType) };
}
