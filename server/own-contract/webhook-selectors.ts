import { enumNames, eventTypes } from '../../generated/enums.ts';
import type { Schemas } from './handler.ts';

/** The types of events, as listed under `webhooks` in the contract. */
export type EventType = (typeof eventTypes)[number];
export type EntityId = Schemas['WebhookEntityId'];
export type ActionId = Schemas['WebhookActionId'];

/** The second part of an event type, by the action that webhooks select. */
export const happened: Readonly<Record<ActionId, string>> = {
  1: 'created',
  2: 'updated',
  3: 'deleted',
  4: 'archived',
  5: 'forwarded_to_team',
  6: 'forwarded_to_agent',
};

/** Returns the event type for an entity and an action; undefined if the contract has no such event type (D41). */
export function eventTypeOf(entityId: EntityId, actionId: ActionId): EventType | undefined {
  const name = `${enumNames.WebhookEntityId[entityId]}.${happened[actionId]}`;
  return eventTypes.find((type) => type === name);
}

/** Returns the HTTP method of a webhook's `verb_id`. */
export const httpMethodOf = (id: Schemas['WebhookVerbId']): string => enumNames.WebhookVerbId[id];
