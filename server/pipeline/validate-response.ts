import { validateHeaderValue } from '../lib/node-http.ts';
import type { CheckedAnswer, GivenAnswer } from './exchange.ts';
import { documentedType, isJson } from './media-type.ts';
import type { JudgedOperation } from './operation.ts';

/** Thrown where an answer is not what the contract promises. Its text names places and rules, never values. */
export class BrokenAnswer extends Error {}

/** Makes a strong entity tag of the JSON of a representation (RFC 9110, 8.8.3). */
export type EntityTag = (json: string) => string;

/**
 * Holds an answer against its operation, and writes its JSON, once.
 * @param supplied headers that the pipeline adds, and may be required
 * @param entityTag fills in the ETag where one is documented and the answer has none
 * @throws BrokenAnswer naming what is wrong
 */
export function checkAnswer(
  operation: JudgedOperation,
  answer: GivenAnswer,
  supplied: Record<string, string>,
  entityTag?: EntityTag,
): CheckedAnswer {
  const status = documentedStatus(operation, answer.status);
  const mediaType = mediaTypeOf(operation, status, answer);
  if (mediaType === undefined)
    return {
      status: answer.status,
      headers: checkHeaders(operation, status, answer, supplied),
      payload: undefined,
    };

  const findings = operation.judgeBody(status, mediaType, answer.body);
  if (findings.length > 0)
    throw new BrokenAnswer(
      findings.map(({ pointer, message }) => `${pointer || 'the body'} ${message}`).join('; '),
    );
  const payload = serialize(answer.body, mediaType);
  const tag = entityTag && typeof payload === 'string' ? () => entityTag(payload) : undefined;
  const headers = checkHeaders(operation, status, answer, supplied, tag);
  headers['Content-Type'] = answer.mediaType ?? mediaType;
  return { status: answer.status, headers, payload };
}

function documentedStatus({ id, responses }: JudgedOperation, status: number): string {
  const exact = String(status);
  if (exact in responses) return exact;
  const found = [`${Math.floor(status / 100)}XX`, 'default'].find((key) => key in responses);
  if (found === undefined) throw new BrokenAnswer(`${id} documents no status ${status}`);
  return found;
}

function checkHeaders(
  operation: JudgedOperation,
  status: string,
  { headers = {} }: GivenAnswer,
  supplied: Record<string, string>,
  tag?: () => string,
): Record<string, string> {
  const documented = operation.responses[status]?.headers ?? [];
  const sent: Record<string, string> = { ...supplied };
  const judged: Record<string, unknown> = {};
  for (const name of Object.keys(supplied)) judged[name.toLowerCase()] = supplied[name];
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined) continue;
    const key = name.toLowerCase();
    if (!documented.some((header) => header.name === key))
      throw new BrokenAnswer(`the header ${name} is not documented`);
    judged[key] = value;
    sent[name] = sendable(name, String(value));
  }
  for (const { name, required } of documented) {
    if (Object.hasOwn(judged, name)) continue;
    if (name === 'etag' && tag) {
      sent.ETag = tag();
      judged.etag = sent.ETag;
    } else if (required) throw new BrokenAnswer(`the header ${name} is missing`);
  }
  const [finding] = operation.judgeHeaders(status, judged);
  if (finding) throw new BrokenAnswer(`the header ${finding.pointer.slice(1)} ${finding.message}`);
  return sent;
}

/** Node would refuse it only while it is being sent. */
function sendable(name: string, value: string): string {
  try {
    validateHeaderValue(name, value);
    return value;
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
