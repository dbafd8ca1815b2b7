import { isTemporary } from '../../client/retry-policy.ts';
import { errorMessages } from '../../server/errors.ts';
import { entriesOf, listOf, objectOf } from '../../server/lib/json-object.ts';
import { happened } from '../../server/own-contract/webhook-selectors.ts';
import type { Subscription } from '../contract/config.ts';
import { code, markdownTable } from '../contract/generate/document-tables.ts';
import type { Contract } from '../contract/model/contract.ts';
import type { Operation } from '../contract/model/operation.ts';
import type { OpenApiDocument } from '../lib/openapi-document.ts';

/** Returns the values of an enumeration with their names. */
function namesOf(document: OpenApiDocument, schema: string): [value: number, name: string][] {
  const { enum: values, 'x-enum-varnames': names } = objectOf(document.components?.schemas?.[schema]);
  return listOf(values).map((value, index) => [Number(value), String(listOf(names)[index])]);
}

/** Returns the table of error codes. */
export function errorTable(contract: Contract): string {
  const messages: Readonly<Record<string, string>> = errorMessages;
  return markdownTable(
    ['code', 'message', 'retry', 'returned by'],
    namesOf(contract.document, 'ErrorCode').map(([value, name]) => {
      const status = Math.floor(value / 100);
      const retry = isTemporary({ status, code: value }) ? 'yes' : 'no';
      const message = messages[name];
      if (message === undefined) throw new Error(`server/errors.ts has no message of ${name}.`);
      return [String(value), message, retry, operationsWith(contract, value)];
    }),
  );
}

/** More operations than this are not listed. */
const maxListed = 2;

/** Links to the operations that document an error code. */
function operationsWith({ operations }: Contract, value: number): string {
  const found = operations.filter(({ responses }) =>
    new RegExp(`"enum":\\[[^\\]]*\\b${value}\\b`).test(JSON.stringify(responses)),
  );
  if (found.length > maxListed) return `[${found.length} operations](../openapi.yaml)`;
  return found.map(({ id, node }) => `[${node.summary}](../openapi.yaml#${id})`).join(', ');
}

/** The descriptions of events begin with these words. */
const opening = /^Sent when (.)/;

/** Returns the table of event types. */
export function eventTable({ document, webhooks }: Contract): string {
  return markdownTable(
    ['event type', '`entity_id`', '`action_id`', 'sent when'],
    webhooks.filter(isPost).map(({ path: type, node }) => {
      const [sentence = ''] = String(node.description).split(/(?<=\.)\s/);
      if (!opening.test(sentence)) throw new Error(`The description of ${type} must begin with: Sent when`);
      const { entity_id, action_id } = selectorsOf(document, type);
      const when = sentence.replace(opening, (_all, first: string) => first.toUpperCase());
      return [code(type), String(entity_id), String(action_id), when];
    }),
  );
}

/** Selects one operation for each type of event, which the contract documents with several methods. */
export const isPost = ({ method }: Operation): boolean => method === 'post';

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

/** Returns the table of scopes and the operations that need them. */
export function scopeTable({ operations }: Contract): string {
  // Scope → condition, or '' → operations.
  const needed = new Map<string, Map<string, string[]>>();
  const need = (scope: string, condition: string, operation: string) => {
    const uses = needed.get(scope) ?? new Map<string, string[]>();
    needed.set(scope, uses.set(condition, [...(uses.get(condition) ?? []), code(operation)]));
  };
  for (const { id, security, node } of operations) {
    for (const scope of security.flatMap(Object.values).flat()) need(scope, '', id);
    for (const { scope, when } of listOf(node['x-conditional-scopes']).map(objectOf))
      need(String(scope), ` if ${when}`, id);
  }
  return markdownTable(
    ['scope', 'needed for'],
    Array.from(needed, ([scope, uses]) => [
      code(scope),
      Array.from(uses, ([condition, operations]) => `${operations.join(', ')}${condition}`).join('; '),
    ]),
  );
}

/** Returns the table of the longest texts in requests. A property whose limits differ names its operations. */
export function limitTable({ operations, follow }: Contract): string {
  const found: { limit: number; name: string; operation: string }[] = [];
  const visit = (given: unknown, name: string, operation: string, open: readonly unknown[]): void => {
    const { node } = follow(given);
    if (open.includes(node)) return;
    const inside = [...open, node];
    const { maxLength, items } = node;
    if (typeof maxLength === 'number') found.push({ limit: maxLength, name, operation });
    if (items !== undefined) visit(items, name, operation, inside);
    for (const [property, value] of entriesOf(node.properties)) visit(value, property, operation, inside);
  };
  for (const { id, body } of operations)
    for (const { schema } of body?.content ?? []) visit(schema, 'body', id, []);
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
