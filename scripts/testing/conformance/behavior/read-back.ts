import { isDateTime } from '../../../../server/lib/formats.ts';
import { isObject, type JsonObject } from '../../../../server/lib/json-object.ts';
import { ownOf } from '../../../../server/lib/own-property.ts';
import { canonicalJson } from '../../schema-values/schema.ts';
import { parseJson } from '../error-body.ts';
import type { TriedRequest } from '../session.ts';

/** Returns the properties that still have their old values after an update that sent new ones. */
export function lostChanges(before: TriedRequest, updated: TriedRequest, after: TriedRequest): string[] {
  const [old, next, sent] = [bodyOf(before), bodyOf(after), sentBy(updated)];
  if (!old || !next || !sent) return [];
  return Object.keys(sent).filter((name) => {
    const value = sent[name];
    // The service itself sets most timestamps.
    if (typeof value === 'string' && isDateTime(value)) return false;
    // Inside a list or an object, null often means that a part is absent.
    if (value !== null && hasNull(value)) return false;
    return Object.hasOwn(old, name) && !isSame(value, old[name]) && isSame(ownOf(next, name), old[name]);
  });
}

/**
 * Returns the properties that a partial update did not send, and that were lost with it.
 * @param settable the properties that the update can set: the service may change others at any time
 */
export function resetValues(
  before: TriedRequest,
  updated: TriedRequest,
  after: TriedRequest,
  settable: ReadonlySet<string>,
): string[] {
  const [old, next, sent] = [bodyOf(before), bodyOf(after), sentBy(updated)];
  if (!old || !next || !sent) return [];
  return Object.keys(old).filter(
    (name) =>
      settable.has(name) && !Object.hasOwn(sent, name) && isFilled(old[name]) && !isFilled(ownOf(next, name)),
  );
}

/**
 * Returns the properties that a create was sent, and that are neither in its response nor read back.
 * @param shown the properties that the contract documents in what is read back
 */
export function droppedValues(
  created: TriedRequest,
  read: TriedRequest,
  shown: ReadonlySet<string>,
): string[] {
  const [before = {}, after, sent] = [bodyOf(created), bodyOf(read), sentBy(created)];
  if (!after || !sent) return [];
  return Object.keys(sent).filter(
    (name) =>
      shown.has(name) && isFilled(sent[name]) && ![before, after].some((body) => isFilled(ownOf(body, name))),
  );
}

/** Whether a value is not one of those that services leave out: null, false, zero, and empty texts, lists and objects. */
const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

const hasNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(hasNull));

/**
 * Returns the properties that a create returned with other values than those that are read back. Ignores what clients
 * cannot set, because the service may change it at any time, and secrets that are hidden after the create.
 * @param settable the properties that clients can set, and that of the ID
 */
export function lostValues(
  created: TriedRequest,
  read: TriedRequest,
  settable: ReadonlySet<string>,
): string[] {
  const [before, after] = [bodyOf(created), bodyOf(read)];
  if (!before || !after) return [];
  return Object.keys(before).filter((name) => {
    const other = ownOf(after, name);
    if (!settable.has(name) || other === undefined || other === null || isHidden(other)) return false;
    return !isSame(before[name], other);
  });
}

/** Returns the body of a response; undefined if it is not an object. */
const bodyOf = ({ response }: TriedRequest) => objectIn(parseJson(response?.text ?? '')?.value);

const sentBy = ({ attempt }: TriedRequest) => objectIn(attempt.request.body?.value);

const objectIn = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** Whether a text is masked: `sk_****1234`. */
const isHidden = (value: unknown): boolean =>
  typeof value === 'string' && /\*{3}|•{3}|x{4}|\.{3}|…/i.test(value.slice(0, 1_000));
