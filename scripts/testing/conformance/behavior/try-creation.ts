import { isObject } from '../../../../server/lib/json-object.ts';
import { ownOf } from '../../../../server/lib/own-property.ts';
import { headerOf, withoutHeader } from '../../../contract/mock/scenarios/scenario.ts';
import type { RequestSpace } from '../../requests/request-space.ts';
import type { TestCase } from '../../requests/serialize.ts';
import { schemaProperties } from '../../schema-values/object-schema.ts';
import type { JsonSchema } from '../../schema-values/schema.ts';
import type { SchemaContext } from '../../schema-values/schema-context.ts';
import { someValuesOf } from '../../schema-values/values.ts';
import { bodyIn, documentedResponse } from '../check-response.ts';
import { idempotencyKeyOf } from '../idempotency-key.ts';
import type { Session, TriedRequest } from '../session.ts';
import { headerValues, tenantHeaderOf } from '../tenants.ts';
import { isSame, propertiesOf } from './read-back.ts';
import { byProperties, type Resource, requestFor } from './resource.ts';

/** Maximum number of creates until one is accepted. */
const maxCreates = 3;

/** Checks what HTTP, OpenAPI and the names of headers promise about creates, each once. */
export async function tryCreation(
  session: Session,
  resource: Resource,
  idsFrom: (tried: TriedRequest) => unknown[],
): Promise<void> {
  const attempts = byProperties(resource.create).values();
  const next = async (change: (attempt: TestCase) => TestCase): Promise<TriedRequest | undefined> => {
    for (const attempt of attempts.take(maxCreates)) {
      const tried = await session.tryAndReport(change(attempt));
      if (tried.result.outcome === 'accepted') return tried;
    }
    return undefined;
  };
  const made = await next((attempt) => attempt);
  const ids = made ? idsFrom(made) : [];
  if (!made || ids.length === 0) return;
  if (resource.read) await checkRead(session, resource, resource.read, made, ids);
  await checkRepetition(session, resource, idsFrom, next);
  await checkReadOnly(session, resource, made, next);
}

type NextCreate = (change: (attempt: TestCase) => TestCase) => Promise<TriedRequest | undefined>;

/** Reads a new resource at its `Location`, and with the credentials of the same client for another tenant. */
async function checkRead(
  session: Session,
  resource: Resource,
  read: RequestSpace,
  made: TriedRequest,
  ids: readonly unknown[],
): Promise<void> {
  const [id] = ids;
  const other = ids.find((each) => String(each) !== String(id));
  const readingOf = (each: unknown) =>
    session.tryOut(requestFor(read, resource, { made, id: each }, 'reading a created'));
  const reading = await readingOf(id);
  if (reading.result.outcome === 'accepted') return checkTenants(session, reading, String(id));
  if (other === undefined || made.response?.headers.location === undefined) return;
  const named = await readingOf(other);
  if (named.result.outcome !== 'accepted') return;
  const status = reading.response?.status;
  session.conclude(
    made,
    'found-at-location',
    `Location leads to no resource (${status}), but the body names an existing one`,
  );
}

async function checkTenants(session: Session, reading: TriedRequest, id: string): Promise<void> {
  const header = tenantHeaderOf(reading.attempt.request.operation);
  if (!header) return;
  const name = header.name.toLowerCase();
  const [, own] = headerOf(reading.wire.headers, name) ?? [];
  const foreign = headerValues(session.requests, header, ['other', 'b']).find((value) => value !== own);
  if (foreign === undefined) return;
  const others = withoutHeader(reading.wire.headers, name);
  const wire = { ...reading.wire, headers: { ...others, [header.name]: foreign } };
  const attempt = { ...reading.attempt, what: `reading the resource of another ${header.name}` };
  const sent = await session.send(attempt, wire, false);
  if (sent instanceof Error) return;
  const isShown = sent.response.status < 300 && sent.response.text.includes(id);
  session.conclude(
    sent,
    'isolates-tenants',
    isShown ? `a resource is shown to another ${header.name} than that of its create` : undefined,
  );
}

/** Repeats a create with the same `Idempotency-Key`: if it is accepted again, it must return the same resource. */
async function checkRepetition(
  session: Session,
  { create }: Resource,
  idsFrom: (tried: TriedRequest) => unknown[],
  next: NextCreate,
): Promise<void> {
  const key = idempotencyKeyOf(create.operation);
  if (!key) return;
  const made = await next((attempt) => ({
    ...attempt,
    what: 'a create with an Idempotency-Key',
    // The session replaces the key by a fresh one.
    request: { ...attempt.request, header: { ...attempt.request.header, [key.name]: 'key' } },
  }));
  if (!made) return;
  const attempt = { ...made.attempt, what: 'the same create with the same Idempotency-Key' };
  const sent = await session.send(attempt, made.wire, true);
  if (sent instanceof Error || sent.response.status >= 300) return;
  const again = { ...made, ...sent };
  const [first, second] = [made, again].map((each) => idsFrom(each).map(String));
  const isNew =
    first?.[0] !== undefined && second?.[0] !== undefined && !second.some((id) => first.includes(id));
  session.conclude(
    again,
    'repeats-once',
    isNew ? 'a create that was repeated with its Idempotency-Key created another resource' : undefined,
  );
}

/** Sends a create with other values of read-only properties, which the service may reject or ignore. */
async function checkReadOnly(
  session: Session,
  { create: { operation } }: Resource,
  made: TriedRequest,
  next: NextCreate,
): Promise<void> {
  const { requests, responses } = session;
  const usual = bodyIn(made.response);
  if (!isObject(usual) || !isObject(made.attempt.request.body?.value)) return;
  const settable = propertiesOf(requests, operation.body?.content);
  const shown = documentedResponse(operation, made.response?.status ?? 0)?.content ?? [];
  const readOnly = shown
    .flatMap(({ schema }) => Object.entries(schemaProperties(responses, schema)))
    .filter(([name, schema]) => isReadOnly(responses, schema) && !settable.includes(name));
  const added = Object.fromEntries(
    readOnly.flatMap(([name, schema]): [string, unknown][] => {
      const other = someValuesOf(responses, schema, 20).find(
        (value) =>
          ['string', 'number', 'boolean'].includes(typeof value) && !isSame(value, ownOf(usual, name)),
      );
      return other === undefined ? [] : [[name, other]];
    }),
  );
  if (Object.keys(added).length === 0) return;
  const tried = await next((attempt) => {
    const { body } = attempt.request;
    const value = isObject(body?.value) ? { ...body.value, ...added } : body?.value;
    return {
      ...attempt,
      what: 'a create with read-only properties',
      request: body ? { ...attempt.request, body: { ...body, value } } : attempt.request,
      wrong: { kind: 'unknown', keyword: 'readOnly', field: 'body' },
    };
  });
  const after = bodyIn(tried?.response);
  if (!tried || !isObject(after)) return;
  const taken = Object.entries(added).filter(([name, value]) => isSame(ownOf(after, name), value));
  session.conclude(
    tried,
    'ignores-read-only',
    taken.length > 0
      ? `a create takes over the read-only ${taken.map(([name]) => name).join(', ')} of its request`
      : undefined,
  );
}

const isReadOnly = (context: SchemaContext, schema: JsonSchema): boolean =>
  typeof schema === 'object' &&
  (schema.readOnly === true ||
    (schema.$ref !== undefined && isReadOnly(context, context.resolve(schema.$ref))));
