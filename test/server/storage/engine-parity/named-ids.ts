import document from '../../../../generated/openapi.json' with { type: 'json' };
import { createContract } from '../../../../scripts/contract/model/contract.ts';
import { idsByName } from '../../../../scripts/testing/conformance/ids-by-name.ts';
import { resourceTypesOf } from '../../../../scripts/testing/conformance/resource-types.ts';
import { operationsOf, webhookOperationsOf } from '../../../../scripts/testing/requests/operations.ts';
import { idsIn, resourceTypeOf } from '../../../../scripts/testing/requests/resource-ids.ts';
import type { JsonSchema } from '../../../../scripts/testing/schema-values/schema.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { isObject } from '../../../../server/lib/json-object.ts';
import type { ApiReply } from '../../../support/api-client.ts';
import { replaceValues } from '../../../support/resources/replace-values.ts';
import { resourceNames } from '../../own-contract/valid-requests.ts';
import type { EngineTarget } from './targets.ts';

const context = createSchemaContext(createContract(document).view('response').document);
const operations = new Map(operationsOf(context).map((operation) => [operation.id, operation]));
const events = new Map(
  webhookOperationsOf(context)
    .filter(({ method }) => method === 'post')
    .map((webhook) => [webhook.path, webhook]),
);

const kinds = resourceTypesOf(context);

/** Returns the schema of a response body. A create returns an ID of the resource at the paths below its own. */
function bodySchemaOf(name: string, status: number): JsonSchema {
  const operation = operations.get(name);
  const schema = operation?.responses[String(status)]?.content[0]?.schema ?? true;
  const [created] = operation ? idsByName(operation, [...operations.values()], kinds, { id: 1 }) : [];
  if (status !== 201 || !created) return schema;
  const id = { 'x-id-of': created.kind };
  return { allOf: [schema], ...id, properties: { id } };
}

/** Remembers the objects that a response created, and its ETag. */
export function learn(side: EngineTarget, operation: string, target: string, reply: ApiReply): void {
  const etag = reply.headers.get('etag');
  const known = side.etags.get(target);
  // Every second object keeps its first ETag, so that some conditional requests send an outdated one.
  const keeps = known?.keeps ?? side.etags.size % 2 === 0;
  if (etag && !(known && keeps)) side.etags.set(target, { etag, keeps });
  // A replayed response creates nothing, so its ID is known.
  if (reply.status !== 201) return;
  for (const { kind, id } of idsIn(context, bodySchemaOf(operation, 201), reply.body)) {
    const name = resourceNames.find((each) => each === kind);
    if (name && typeof id === 'number' && !side.ids[name].includes(id)) side.ids[name].push(id);
  }
}

const comparedHeaders = [
  'link',
  'location',
  'x-total-count',
  'preference-applied',
  'x-truncated-conversations',
  'retry-after',
  'allow',
  'content-type',
  'www-authenticate',
];

/** Returns what is compared of a response, with names instead of IDs. */
export function namedResponse(side: EngineTarget, operation: string, { status, headers, body }: ApiReply) {
  const after = operations.get(operation)?.parameters.find(({ name }) => name === 'after');
  const listed = (after && resourceTypeOf(context, after.schema)) ?? '';
  const shown = comparedHeaders.map((name) => {
    const value = headers.get(name);
    if (name === 'link')
      return [name, value?.replace(/after=(\d+)/, (_all, id) => String(nameOf(side, listed, Number(id))))];
    return [
      name,
      ['location', 'x-truncated-conversations'].includes(name) ? value?.replace(/\d+/g, '#') : value,
    ];
  });
  const named = withNames(side, bodySchemaOf(operation, status), body);
  return {
    status,
    headers: Object.fromEntries(shown),
    body: isObject(named) ? withoutIds(named) : named,
    etag: headers.has('etag'),
  };
}

/** Returns an error, or the confirmation of a change, without the IDs in its message. */
export const withoutIds = <Response extends object>(response: Response) => ({
  ...response,
  ...('message' in response ? { message: String(response.message).replace(/\d+/g, '#') } : {}),
});

/** Returns an event with names instead of IDs, except that of the webhook. */
export const namedEvent = (side: EngineTarget, type: string, event: unknown): unknown =>
  withNames(side, events.get(type)?.body?.content[0]?.schema ?? true, event);

const withNames = (side: EngineTarget, schema: JsonSchema, value: unknown): unknown =>
  replaceValues(context, schema, value, (each, _schema, kind) =>
    kind !== undefined && typeof each === 'number' ? nameOf(side, kind, each) : each,
  );

/** Returns the name of an object, which is the same for both services. IDs of other resources stay. */
function nameOf(side: EngineTarget, kind: string, id: number): string | number {
  const name = resourceNames.find((each) => each === kind);
  return name === undefined ? id : `${name} #${side.ids[name].indexOf(id)}`;
}
