import document from '../../generated/openapi.json' with { type: 'json' };
import type { Schemas } from './handler.ts';

const { schemas, responses } = document.components;

/** The properties that the interface shows of something, in the contract's order. */
export const contractProperties = (shown: 'Contact' | 'Conversation' | 'Message'): string[] =>
  Object.keys(schemas[shown].properties);

const avatarUrl = new RegExp(schemas.Avatar.pattern);

/** Whether a text is a URL that the contract allows as an avatar. */
export const isAvatarUrl = (text: string): boolean => avatarUrl.test(text);

/** What a custom field can be, in the contract's order. */
export const fieldTypes: readonly string[] = schemas.FieldType.enum;

/** The channels of conversations, and what messages can be. */
export const conversationServices: readonly string[] = schemas.ConversationService.enum;
export const messageTypes: readonly string[] = schemas.MessageType.enum;

/** The HTTP method that a webhook's `verb_id` stands for. */
export function httpMethodOf(id: Schemas['WebhookVerbId']): string {
  const { enum: ids, 'x-enum-varnames': names } = schemas.WebhookVerbId;
  return names[ids.indexOf(id)] ?? '';
}

/** How many custom fields a company has at most (D04): the list gives all of them in one answer. */
export const maxFields = responses.CustomFields.content['application/json'].schema.maxItems;

/** How many webhooks a company has at most (D04); nothing in the contract is of that length. */
export const maxWebhooks = 100;

/** The last place that a field can have among the others. */
export const maxFieldOrder = schemas.FieldOrder.maximum;

/** The longest value of a custom field, in characters. */
export const maxValueLength = schemas.FieldValue.maxLength;
