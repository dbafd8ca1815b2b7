import { eventTypes } from '../../generated/enums.ts';
import document from '../../generated/openapi.json' with { type: 'json' };
import type { webhooks } from '../../generated/types.ts';
import type { FieldError } from '../lib/field-error.ts';
import type { Schemas } from './handler.ts';
import { validateAgainstSchema } from './validate.ts';
import { type ActionId, type EntityId, type EventType, eventTypeOf } from './webhook-selectors.ts';

/** An event with its full payload, as sent by POST and PUT. */
export type EventOf<Type extends EventType> = webhooks[Type]['post'] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/** The entity of an event. */
export type DataOf<Type extends EventType> = EventOf<Type> extends { data: infer Data } ? Data : never;

interface Selectors {
  entityId: EntityId;
  actionId: ActionId;
}

const selectors = new Map<EventType, Selectors>();
for (const entityId of document.components.schemas.WebhookEntityId.enum as EntityId[])
  for (const actionId of document.components.schemas.WebhookActionId.enum as ActionId[]) {
    const type = eventTypeOf(entityId, actionId);
    if (type) selectors.set(type, { entityId, actionId });
  }

/** Returns the entity and the action that webhooks select to receive an event type. */
export function selectorsOf(type: EventType): Selectors {
  const found = selectors.get(type);
  if (!found)
    throw new Error(
      `No webhook can subscribe to ${type}. Name its entity in x-resource of its file and its action in WebhookActionId of openapi/webhooks.yaml, and run: npm run generate`,
    );
  return found;
}

// Fails at startup, rather than on publishing, if the contract has an event that no webhook can select.
for (const type of eventTypes) selectorsOf(type);

/** Returns the short form of an event for URLs: `data` contains only the entity's ID (D43). */
export function toShortForm(payload: string): string {
  const event = JSON.parse(payload);
  return JSON.stringify({ ...event, data: { id: event.data.id } });
}

/** Returns how the contract describes the full form of an event. */
function contentOf(type: EventType) {
  const { requestBodies } = document.components;
  const name = lastPart(document.webhooks[type].post.requestBody.$ref) as keyof typeof requestBodies;
  return requestBodies[name].content['application/json'];
}

/** Validates an event in its full form. @returns the errors; empty if the event conforms to the contract */
export const validateEvent = (type: EventType, event: unknown): FieldError[] =>
  validateAgainstSchema(lastPart(contentOf(type).schema.$ref) as keyof Schemas, event);

/** Returns the contract's example of an event, in its full form. */
export const exampleEvent = (type: EventType): { meta: object } =>
  document.components.examples[lastPart(contentOf(type).examples.event.$ref) as 'ContactCreatedEvent'].value;

const lastPart = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
