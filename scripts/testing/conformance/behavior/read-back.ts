import { isDateTime } from '../../../../server/lib/formats.ts';
import { isObject, type JsonObject } from '../../../../server/lib/json-object.ts';
import { ownOf } from '../../../../server/lib/own-property.ts';
import { markedPropertiesBy } from '../../../contract/model/read-write-views.ts';
import { schemaProperties } from '../../schema-values/object-schema.ts';
import { canonicalJson } from '../../schema-values/schema.ts';
import type { SchemaContext } from '../../schema-values/schema-context.ts';
import { bodyIn, documentedResponse } from '../check-response.ts';
import type { Session, TriedRequest } from '../session.ts';
import { nameOf, type Resource } from './resource.ts';

/**
 * Compares what a create was sent and has returned with what is read back. Ignores what clients cannot set, because the
 * service may change it at any time, and secrets that are hidden after the create.
 * @returns messages
 */
export function creationFaults(
  { requests, responses }: Session,
  resource: Resource,
  made: TriedRequest,
  reading: TriedRequest,
): string[] {
  const [before = {}, after, sent = {}] = [bodyOf(made), bodyOf(reading), sentBy(made)];
  if (!after) return [];
  const { create, parameter } = resource;
  const settable = [...propertiesOf(requests, create.operation.body?.content), 'id', parameter];
  const lost = Object.keys(before).filter((name) => {
    const other = ownOf(after, name);
    if (!settable.includes(name) || other === undefined || other === null || isHidden(other)) return false;
    return !isSame(before[name], other);
  });
  const documented = documentedResponse(reading.attempt.request.operation, reading.response?.status ?? 0);
  const writeOnlyIn = markedPropertiesBy(responses.resolve, 'writeOnly');
  const hidden = (documented?.content ?? []).flatMap(({ schema }) => writeOnlyIn(schema));
  const shown = propertiesOf(responses, documented?.content).filter((name) => !hidden.includes(name));
  const isReturned = (name: string) => [before, after].some((body) => isFilled(ownOf(body, name)));
  const dropped = Object.keys(sent).filter(
    (name) => shown.includes(name) && isFilled(sent[name]) && !isReturned(name),
  );
  const what = nameOf(resource);
  return [
    ...lost.map((name) => `the new ${what} is read back with another ${name} than the create returned`),
    ...dropped.map((name) => {
      const how = ownOf(after, name) === undefined ? `without ${name}, which` : `with another ${name} than`;
      return `the new ${what} is read back ${how} the create was sent`;
    }),
  ];
}

/** Compares what was read before and after an update with what the update was sent. @returns messages */
export function updateFaults(
  { requests }: Session,
  before: TriedRequest,
  updated: TriedRequest,
  after: TriedRequest,
): string[] {
  const [old, next, sent] = [bodyOf(before), bodyOf(after), sentBy(updated)];
  if (!old || !next || !sent) return [];
  const lost = Object.keys(sent).filter((name) => {
    const value = sent[name];
    // The service itself sets most timestamps.
    if (typeof value === 'string' && isDateTime(value)) return false;
    // Inside a list or an object, null often means that a part is absent.
    if (value !== null && hasNull(value)) return false;
    return Object.hasOwn(old, name) && !isSame(value, old[name]) && isSame(ownOf(next, name), old[name]);
  });
  const { method, body } = updated.attempt.request.operation;
  // A PATCH changes only a part (RFC 5789, section 2). The service may change what it cannot set at any time.
  const settable = method === 'patch' ? propertiesOf(requests, body?.content) : [];
  const isReset = (name: string) => isFilled(old[name]) && !isFilled(ownOf(next, name));
  const reset = settable.filter(
    (name) => !Object.hasOwn(sent, name) && Object.hasOwn(old, name) && isReset(name),
  );
  return [
    ...lost.map((name) => `an accepted update did not change ${name}`),
    ...reset.map((name) => `a partial update removed ${name}, which it did not contain`),
  ];
}

/** Returns the names of the properties of bodies, each once. */
export const propertiesOf = (
  context: SchemaContext,
  content: readonly { schema: Parameters<typeof schemaProperties>[1] }[] = [],
): string[] => [...new Set(content.flatMap(({ schema }) => Object.keys(schemaProperties(context, schema))))];

/** Whether a value is not one of those that services leave out: null, false, zero, and empty texts, lists and objects. */
const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(rounded(value));

/** Rounds a number as services that store prices do, so that 1e-230 is 0. */
const rounded = (value: unknown): unknown => (typeof value === 'number' ? Number(value.toFixed(2)) : value);

const hasNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(hasNull));

/** Returns the body of a response; undefined if it is not an object. */
const bodyOf = ({ response }: TriedRequest) => objectIn(bodyIn(response));

const sentBy = ({ attempt }: TriedRequest) => objectIn(attempt.request.body?.value);

const objectIn = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);

/** Whether two values are equal as JSON, except that a service may round numbers. */
export const isSame = (one: unknown, other: unknown): boolean =>
  canonicalJson(rounded(one)) === canonicalJson(rounded(other));

/** Whether a text is masked: `sk_****1234`. */
const isHidden = (value: unknown): boolean =>
  typeof value === 'string' && /\*{3}|•{3}|x{4}|\.{3}|…/i.test(value.slice(0, 1_000));
