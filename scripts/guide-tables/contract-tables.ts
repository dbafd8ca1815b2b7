import { isTemporary } from '../../client/retry-policy.ts';
import { errorMessages } from '../../server/errors.ts';
import { entriesOf, type JsonObject, listOf, objectOf } from '../../server/lib/json-object.ts';
import { happened } from '../../server/own-contract/webhook-selectors.ts';
import type { Subscription } from '../contract/config.ts';
import { code, markdownTable } from '../contract/generate/document-tables.ts';
import { isHttpMethod, type OpenApiDocument } from '../lib/openapi-document.ts';

/** Returns the values of an enumeration with their names. */
function namesOf(document: OpenApiDocument, schema: string): [value: number, name: string][] {
  const { enum: values, 'x-enum-varnames': names } = objectOf(document.components?.schemas?.[schema]);
  return listOf(values).map((value, index) => [Number(value), String(listOf(names)[index])]);
}

/** Returns the table of error codes. @param document the bundled contract */
export function errorTable(document: OpenApiDocument): string {
  const messages: Readonly<Record<string, string>> = errorMessages;
  return markdownTable(
    ['code', 'message', 'retry', 'returned by'],
    namesOf(document, 'ErrorCode').map(([value, name]) => {
      const status = Math.floor(value / 100);
      const retry = isTemporary({ status, code: value }) ? 'yes' : 'no';
      const message = messages[name];
      if (message === undefined) throw new Error(`server/errors.ts has no message of ${name}.`);
      return [String(value), message, retry, operationsWith(document, value)];
    }),
  );
}

/** More operations than this are not listed. */
const maxListed = 2;

/** Links to the operations that document an error code. */
function operationsWith(document: OpenApiDocument, value: number): string {
  const operations = entriesOf(document.paths).flatMap(([, item]) =>
    entriesOf(objectOf(item))
      .filter(([method]) => isHttpMethod(method))
      .map(([, operation]) => objectOf(operation)),
  );
  const found = operations.filter(({ responses }) =>
    Object.values(objectOf(responses)).some((response) => {
      const { $ref } = objectOf(response);
      const shared = objectOf(objectOf(document.components).responses)[String($ref).replace(/^.*\//, '')];
      return new RegExp(`"enum":\\[[^\\]]*\\b${value}\\b`).test(JSON.stringify(shared ?? response));
    }),
  );
  if (found.length > maxListed) return `[${found.length} operations](../openapi.yaml)`;
  return found.map(({ operationId, summary }) => `[${summary}](../openapi.yaml#${operationId})`).join(', ');
}

/** The descriptions of events begin with these words. */
const opening = /^Sent when (.)/;

/** Returns the table of event types. @param document the bundled contract */
export function eventTable(document: OpenApiDocument): string {
  return markdownTable(
    ['event type', '`entity_id`', '`action_id`', 'sent when'],
    entriesOf(document.webhooks).map(([type, item]) => {
      const { description } = objectOf(objectOf(item).post);
      const [sentence = ''] = String(description).split(/(?<=\.)\s/);
      if (!opening.test(sentence)) throw new Error(`The description of ${type} must begin with: Sent when`);
      const { entity_id, action_id } = selectorsOf(document, type);
      const when = sentence.replace(opening, (_all, first: string) => first.toUpperCase());
      return [code(type), String(entity_id), String(action_id), when];
    }),
  );
}

/** Returns the values of a webhook that select a type of event. @param document the bundled contract */
function selectorsOf(document: OpenApiDocument, type: string): { entity_id: number; action_id: number } {
  const [entity, past] = type.split('.');
  const [entityId] = namesOf(document, 'WebhookEntityId').find(([, name]) => name === entity) ?? [];
  const [actionId] = Object.entries(happened).find(([, each]) => each === past) ?? [];
  if (entityId === undefined || actionId === undefined)
    throw new Error(`No webhook can subscribe to ${type}: name its entity and its action.`);
  return { entity_id: entityId, action_id: Number(actionId) };
}

/** Says how to subscribe to a type of event, on its page of the portal. @param document the bundled contract */
export function subscriptionTo(document: OpenApiDocument, type: string): Subscription {
  const body = selectorsOf(document, type);
  return {
    operation: 'createWebhook',
    body,
    text: `[Create a webhook](openapi.yaml#createWebhook) with \`entity_id\` ${body.entity_id} and \`action_id\` ${body.action_id}. Then [verify the signature](guides/webhooks.md#verify-signatures) of each request, and handle [retries and duplicates](guides/webhooks.md#retries-and-duplicates).`,
  };
}

/** Returns the table of scopes and the operations that need them. @param document the bundled contract */
export function scopeTable(document: OpenApiDocument): string {
  // Scope → condition, or '' → operations.
  const needed = new Map<string, Map<string, string[]>>();
  const need = (scope: string, condition: string, operation: string) => {
    const uses = needed.get(scope) ?? new Map<string, string[]>();
    needed.set(scope, uses.set(condition, [...(uses.get(condition) ?? []), operation]));
  };
  for (const operation of operationsOf(document)) {
    const name = code(String(operation.operationId));
    for (const requirement of listOf(operation.security))
      for (const [, scopes] of entriesOf(requirement))
        for (const scope of listOf(scopes)) need(String(scope), '', name);
    for (const condition of listOf(operation['x-conditional-scopes'])) {
      const { scope, when } = objectOf(condition);
      need(String(scope), ` if ${when}`, name);
    }
  }
  return markdownTable(
    ['scope', 'needed for'],
    Array.from(needed, ([scope, uses]) => [
      code(scope),
      Array.from(uses, ([condition, operations]) => `${operations.join(', ')}${condition}`).join('; '),
    ]),
  );
}

/**
 * Returns the table of the longest texts in requests. A property whose limits differ names its operations.
 * @param document the bundled contract
 */
export function limitTable(document: OpenApiDocument): string {
  const schemas = objectOf(document.components?.schemas);
  const found: { limit: number; name: string; operation: string }[] = [];
  const visit = (node: unknown, name: string, operation: string, open: readonly unknown[]): void => {
    const schema = objectOf(node);
    if (open.includes(node)) return;
    const inside = [...open, node];
    const [, target] = /^#\/components\/schemas\/([^/]+)$/.exec(String(schema.$ref)) ?? [];
    if (target !== undefined) visit(schemas[target], name, operation, inside);
    const { maxLength, items } = schema;
    if (typeof maxLength === 'number') found.push({ limit: maxLength, name, operation });
    if (items !== undefined) visit(items, name, operation, inside);
    for (const [property, value] of entriesOf(schema.properties)) visit(value, property, operation, inside);
  };
  for (const { requestBody, operationId } of operationsOf(document))
    for (const [, content] of entriesOf(objectOf(requestBody).content))
      visit(objectOf(content).schema, 'body', String(operationId), []);
  const shown = ({ limit, name, operation }: (typeof found)[number]) =>
    found.some((other) => other.name === name && other.limit !== limit)
      ? `${code(name)} of ${code(operation)}`
      : code(name);
  return markdownTable(
    ['properties of requests', 'characters'],
    [...Map.groupBy(found, ({ limit }) => limit)]
      .sort(([one], [other]) => one - other)
      .map(([limit, each]) => [[...new Set(each.map(shown))].join(', '), limit.toLocaleString('en')]),
  );
}

const operationsOf = (document: OpenApiDocument): JsonObject[] =>
  entriesOf(document.paths).flatMap(([, item]) =>
    entriesOf(item).flatMap(([method, node]) => (isHttpMethod(method) ? [objectOf(node)] : [])),
  );
