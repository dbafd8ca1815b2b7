import document from '../../generated/openapi.json' with { type: 'json' };

const { schemas, responses } = document.components;

/** Returns the property names of a schema, in the contract's order. */
export const contractProperties = (shown: 'Contact' | 'Conversation' | 'Message'): string[] =>
  Object.keys(schemas[shown].properties);

/** The types of custom fields, in the contract's order. */
export const fieldTypes: readonly string[] = schemas.FieldType.enum;

/** The channels of conversations, in the contract's order. */
export const conversationServices: readonly string[] = schemas.ConversationService.enum;

/** The types of messages, in the contract's order. */
export const messageTypes: readonly string[] = schemas.MessageType.enum;

/** Maximum number of custom fields of a company (D04): the list returns all of them in one response. */
export const maxFields = responses.CustomFields.content['application/json'].schema.maxItems;

/** Maximum number of webhooks of a company (D04). The contract does not state it. */
export const maxWebhooks = 100;

/** Maximum length of an e-mail address, in characters. */
export const maxEmailLength = schemas.EmailAddress.maxLength;

/** Maximum value of a field's `order`. */
export const maxFieldOrder = schemas.FieldOrder.maximum;

/** Maximum length of a custom field's value, in characters. */
export const maxValueLength = schemas.FieldValue.maxLength;
