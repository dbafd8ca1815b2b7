import { isDateTime } from '../../../server/lib/formats.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { canonicalJson } from '../schema-values/schema.ts';
import { parseJson } from './error-body.ts';
import type { TriedRequest } from './session.ts';

/** Returns the properties that still have their old values after an update that sent new ones. */
export function lostChanges(before: TriedRequest, updated: TriedRequest, after: TriedRequest): string[] {
  const [old, next] = [before, after].map(({ response }) => parseJson(response?.text ?? '')?.value);
  const sent = updated.attempt.request.body?.value;
  if (!isObject(old) || !isObject(next) || !isObject(sent)) return [];
  return (
    Object.entries(sent)
      // The service itself sets most timestamps.
      .filter(([, value]) => !(typeof value === 'string' && isDateTime(value)))
      // Inside a list or an object, null often means that a part is absent.
      .filter(([, value]) => value === null || !hasNull(value))
      .filter(
        ([name, value]) =>
          Object.hasOwn(old, name) && !isSame(value, old[name]) && isSame(ownOf(next, name), old[name]),
      )
      .map(([name]) => name)
  );
}

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
  const [before, after] = [created, read].map(({ response }) => parseJson(response?.text ?? '')?.value);
  if (!isObject(before) || !isObject(after)) return [];
  return Object.entries(before)
    .filter(([name, value]) => {
      const other = ownOf(after, name);
      if (!settable.has(name) || other === undefined || other === null || isHidden(other)) return false;
      return !isSame(value, other);
    })
    .map(([name]) => name);
}

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** Whether a text is masked: `sk_****1234`. */
const isHidden = (value: unknown): boolean =>
  typeof value === 'string' && /\*{3}|•{3}|x{4}|\.{3}|…/i.test(value.slice(0, 1_000));
