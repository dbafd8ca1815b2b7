import { validateHeaderValue } from 'node:http';
import type { JudgedOperation } from './contract.ts';
import type { CheckedAnswer, GivenAnswer } from './exchange.ts';
import { documentedType, isJson } from './media-type.ts';

/** Thrown where an answer is not what the contract promises. Its text names places and rules, never values. */
export class BrokenAnswer extends Error {}

/**
 * Holds an answer against its operation, and writes its JSON, once.
 * @param supplied headers that the pipeline adds, and may be required
 * @throws BrokenAnswer naming what is wrong
 */
export function checkAnswer(
  operation: JudgedOperation,
  answer: GivenAnswer,
  supplied: Record<string, string>,
): CheckedAnswer {
  const status = documentedStatus(operation, answer.status);
  const headers = checkHeaders(operation, status, answer, supplied);
  const mediaType = mediaTypeOf(operation, status, answer);
  if (mediaType === undefined) return { status: answer.status, headers, payload: undefined };

  const findings = operation.judgeBody(status, mediaType, answer.body);
  if (findings.length > 0)
    throw new BrokenAnswer(
      findings.map(({ pointer, message }) => `${pointer || 'the body'} ${message}`).join('; '),
    );
  return {
    status: answer.status,
    headers: { ...headers, 'Content-Type': answer.mediaType ?? mediaType },
    payload: serialize(answer.body, mediaType),
  };
}

function documentedStatus({ id, responses }: JudgedOperation, status: number): string {
  const found = [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((key) => key in responses);
  if (found === undefined) throw new BrokenAnswer(`${id} documents no status ${status}`);
  return found;
}

function checkHeaders(
  operation: JudgedOperation,
  status: string,
  { headers = {} }: GivenAnswer,
  supplied: Record<string, string>,
): Record<string, string> {
  const documented = operation.responses[status]?.headers ?? [];
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  const byName = new Map(
    [...Object.entries(supplied), ...given].map(([name, value]) => [name.toLowerCase(), value]),
  );

  for (const [name] of given)
    if (!documented.some((header) => header.name === name.toLowerCase()))
      throw new BrokenAnswer(`the header ${name} is not documented`);
  for (const { name, required } of documented)
    if (required && !byName.has(name)) throw new BrokenAnswer(`the header ${name} is missing`);

  const [finding] = operation.judgeHeaders(status, Object.fromEntries(byName));
  if (finding) throw new BrokenAnswer(`the header ${finding.pointer.slice(1)} ${finding.message}`);
  for (const [name, value] of given) refuseUnsendable(name, String(value));
  return { ...supplied, ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])) };
}

/** Node would refuse it only while it is being sent. */
function refuseUnsendable(name: string, value: string): void {
  try {
    validateHeaderValue(name, value);
  } catch {
    throw new BrokenAnswer(`the header ${name} holds what no header may`);
  }
}

function mediaTypeOf(
  operation: JudgedOperation,
  status: string,
  { body, mediaType }: GivenAnswer,
): string | undefined {
  const documented = operation.responses[status]?.mediaTypes ?? [];
  if (documented.length === 0) {
    if (body !== undefined) throw new BrokenAnswer('no body is documented');
    return undefined;
  }
  if (body === undefined) throw new BrokenAnswer('the body is missing');
  const found = mediaType === undefined ? soleType(documented) : documentedType(documented, mediaType);
  if (found === undefined)
    throw new BrokenAnswer(`the media type ${mediaType ?? '(none named)'} is not documented`);
  return found;
}

const soleType = (documented: readonly string[]): string | undefined =>
  documented.length === 1 ? documented[0] : documented.find((type) => isJson(type));

function serialize(body: unknown, mediaType: string): string | Uint8Array {
  if (!isJson(mediaType) && (typeof body === 'string' || body instanceof Uint8Array)) return body;
  return JSON.stringify(body);
}
