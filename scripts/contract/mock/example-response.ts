import { ownOf } from '../../../server/lib/own-property.ts';
import { PipelineError } from '../../../server/pipeline/errors.ts';
import type { HandlerResponse, RequestHead, ValidatedInput } from '../../../server/pipeline/exchange.ts';
import type { ExampleResponse, MockContract, MockOperation } from './mock-contract.ts';
import { byQuality } from './negotiate.ts';
import { personalize } from './personalize.ts';
import { parsePrefer } from './prefer.ts';

/**
 * Returns the example response of an operation that the request's `Prefer` header selects.
 * @throws PipelineError if the operation does not document the response
 */
export function exampleResponse(
  { examples, rules: { sendsOptionalHeader = () => true } }: MockContract,
  operation: MockOperation,
  input: ValidatedInput,
  { headers: { prefer, accept }, url = '/' }: Pick<RequestHead, 'headers' | 'url'>,
): HandlerResponse {
  const { code, exampleKey } = parsePrefer(prefer);
  const usual = examples[indexOf(operation, code, exampleKey)];
  const found =
    exampleKey === undefined ? (inPreferredType(examples, operation, usual, accept) ?? usual) : usual;
  if (found === undefined || 'missing' in found)
    throw new PipelineError('notFound', {
      message: found?.missing ?? 'The mock has no such response.',
    });
  const status = code ?? found.status;
  const documented = operation.responses[keyOf(operation.responses, status) ?? '']?.headers ?? [];
  const isSent = (name: string) =>
    documented.some((header) => header.name === name && header.required) ||
    sendsOptionalHeader(name, [prefer ?? []].flat().join(', ') || undefined);
  const headers = Object.entries(found.headers ?? {}).filter(([name]) => isSent(name.toLowerCase()));
  const response = { ...found, status, headers: Object.fromEntries(headers) };
  const facts = operation.facts[String(status)];
  return exampleKey === undefined && facts ? personalize(response, facts, input, url) : response;
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
  if (keyOf(operation.examples.byStatus, status) === undefined)
    throw new Error(`${operation.id} does not document the status ${status} of its override.`);
  return exampleResponse(contract, operation, input, { url, headers: { prefer: `code=${status}` } });
}

/** Returns an example of the same status in another media type, if `Accept` prefers that type to the usual one. */
function inPreferredType(
  examples: MockContract['examples'],
  { examples: { byType = {} } }: MockOperation,
  usual: ExampleResponse | undefined,
  accept: string | undefined,
): ExampleResponse | undefined {
  if (!usual || 'missing' in usual) return;
  const others = byType[keyOf(byType, usual.status) ?? ''] ?? {};
  const [preferred = ''] = byQuality(accept, [usual.mediaType ?? 'application/json', ...Object.keys(others)]);
  const index = ownOf(others, preferred);
  return index === undefined ? undefined : examples[index];
}

/** Returns the index of the requested example. @throws PipelineError if the operation does not document it */
function indexOf(
  { examples: { usual, byStatus, byName, byBoth } }: MockOperation,
  code: number | undefined,
  name: string | undefined,
): number {
  const key = code === undefined ? undefined : keyOf(byStatus, code);
  if (code !== undefined && key === undefined)
    throw unknownPreference(
      `This operation does not document ${code}. Documented: ${Object.keys(byStatus).join(', ')}.`,
    );
  if (name === undefined) return key === undefined ? usual : (byStatus[key] ?? usual);
  const named = key === undefined ? byName : (byBoth[key] ?? {});
  const index = ownOf(named, name);
  if (index === undefined)
    throw unknownPreference(`There is no example ${name}. Examples: ${Object.keys(named).join(', ')}.`);
  return index;
}

/** Returns the documented key of a status: itself, its range, or `default`. */
export const keyOf = (documented: Readonly<Record<string, unknown>>, status: number): string | undefined =>
  [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((key) => Object.hasOwn(documented, key));

const unknownPreference = (message: string) =>
  new PipelineError('validationFailed', { message, fields: 'header/Prefer' });
