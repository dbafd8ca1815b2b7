import document from '../../generated/openapi.json' with { type: 'json' };
import type { webhooks } from '../../generated/types.ts';
import type { FieldError } from '../lib/field-error.ts';
import type { Schemas } from './handler.ts';
import { validateAgainstSchema } from './validate.ts';

/** The kinds of events, as the contract lists them under `webhooks`. */
export type EventType = keyof webhooks;

/** An event in its full form, as POST and PUT carry it. */
export type EventOf<Type extends EventType> = webhooks[Type]['post'] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/** What an event is about. */
export type DataOf<Type extends EventType> = EventOf<Type> extends { data: infer Data } ? Data : never;

export type EntityId = Schemas['WebhookEntityId'];
export type ActionId = Schemas['WebhookActionId'];

const { WebhookEntityId: entities, WebhookActionId: actions } = document.components.schemas;

const happened: Record<ActionId, string> = {
  1: 'created',
  2: 'updated',
  3: 'deleted',
  4: 'archived',
  5: 'forwarded_to_team',
  6: 'forwarded_to_agent',
};

const isEventType = (text: string): text is EventType => Object.hasOwn(document.webhooks, text);

/** The event that a pair of selectors means; undefined where the contract has none (D41). */
export function eventTypeOf(entityId: EntityId, actionId: ActionId): EventType | undefined {
  const entity = entities['x-enum-varnames'][entities.enum.indexOf(entityId)];
  const type = `${entity}.${happened[actionId]}`;
  return isEventType(type) ? type : undefined;
}

interface Selectors {
  entityId: EntityId;
  actionId: ActionId;
}

const selectors = new Map<EventType, Selectors>();
for (const entityId of entities.enum as EntityId[])
  for (const actionId of actions.enum as ActionId[]) {
    const type = eventTypeOf(entityId, actionId);
    if (type) selectors.set(type, { entityId, actionId });
  }

/** The selectors of the webhooks that an event is for. */
export function selectorsOf(type: EventType): Selectors {
  const found = selectors.get(type);
  if (!found) throw new Error(`No webhook can ask for ${type}.`);
  return found;
}

/** The form of an event that fits into a query: of what it is about, the number alone (D43). */
export function toShortForm(payload: string): string {
  const event = JSON.parse(payload);
  return JSON.stringify({ ...event, data: { id: event.data.id } });
}

/** The schema of an event in its full form, by its name. */
function schemaOf(type: EventType): keyof Schemas {
  const { $ref: body } = document.webhooks[type].post.requestBody;
  const { requestBodies } = document.components;
  const name = lastPart(body) as keyof typeof requestBodies;
  return lastPart(requestBodies[name].content['application/json'].schema.$ref) as keyof Schemas;
}

/** The schema of its short form: the one parameter that its GET takes. */
function shortSchemaOf(type: EventType): keyof Schemas {
  const [{ $ref: parameter }] = document.webhooks[type].get.parameters as [{ $ref: string }];
  const { parameters } = document.components;
  const name = lastPart(parameter) as 'ContactCreatedPayload';
  return lastPart(parameters[name].schema.contentSchema.$ref) as keyof Schemas;
}

/** What is wrong with an event in its full form; nothing where it keeps the contract. */
export const validateEvent = (type: EventType, event: unknown): FieldError[] =>
  validateAgainstSchema(schemaOf(type), event);

/** What is wrong with an event as a receiver got it, in either form. */
export function validateReceivedEvent(event: unknown, form: 'full' | 'short'): FieldError[] {
  const { type } = typeof event === 'object' && event !== null && 'type' in event ? event : { type: '' };
  if (typeof type !== 'string' || !isEventType(type))
    return [{ field: '/type', message: 'is no kind of event' }];
  return validateAgainstSchema(form === 'full' ? schemaOf(type) : shortSchemaOf(type), event);
}

/** An event of a kind as the contract shows it, in its full form. */
export function exampleEvent(type: EventType): { meta: object } {
  const { examples } = document.components;
  const { $ref } =
    document.components.requestBodies[
      lastPart(
        document.webhooks[type].post.requestBody.$ref,
      ) as keyof typeof document.components.requestBodies
    ].content['application/json'].examples.event;
  return examples[lastPart($ref) as 'ContactCreatedEvent'].value;
}

const lastPart = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
