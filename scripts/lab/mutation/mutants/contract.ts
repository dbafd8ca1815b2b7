import type { Mutant } from '../mutant.ts';

/** Bugs in the contract. */
export const contractMutants: readonly Mutant[] = [
  {
    name: 'an update of a contact may omit its integration, which is then lost',
    killedBy:
      'test/server/features/contacts/update-contact.test.ts > requires every writable property, and reports all missing ones in one response',
    file: 'openapi/components/schemas/ContactUpdate.yaml',
    from: 'from_integration, integration, from_whatsapp, from_email, fields]',
    to: 'from_integration, from_whatsapp, from_email, fields]',
  },
  {
    name: 'a phone number of 16 digits is accepted',
    killedBy:
      'test/server/features/contacts/create-contact.test.ts > telephone_number accepts a value at its limit and rejects a value beyond it',
    file: 'openapi/components/schemas/TelephoneNumber.yaml',
    from: '[0-9]{6,14}$',
    to: '[0-9]{6,15}$',
  },
  {
    name: 'getMessage does not document 503, so it returns 500 while the database is unavailable',
    killedBy: 'lint',
    file: 'openapi/paths/messages_{id}.yaml',
    from: "    '500': { $ref: ../components/responses/InternalError.yaml }\n    '503': { $ref: ../components/responses/Unavailable.yaml }",
    to: "    '500': { $ref: ../components/responses/InternalError.yaml }",
  },
  {
    name: 'the order desc is rejected',
    killedBy:
      'test/server/features/contacts/list-contacts.test.ts > links keep the other parameters, and point to the first and previous page',
    file: 'openapi/components/parameters/Order.yaml',
    from: 'enum: [asc, desc]',
    to: 'enum: [asc]',
  },
  {
    name: 'getConversation returns messages to a token without messages:read',
    killedBy:
      'test/server/contract/operation-scopes.test.ts > getConversation requires the read scopes of its responses, and a write scope to write',
    file: 'openapi/paths/conversations_{id}.yaml',
    from: "- bearerAuth: ['conversations:read', 'messages:read']",
    to: "- bearerAuth: ['conversations:read']",
  },
  {
    name: 'the example of message.deleted shows a message that is not deleted',
    killedBy:
      'test/server/contract/examples.test.ts > the example of each event shows the state after the event, such as deleted or archived',
    file: 'openapi/components/examples/MessageDeletedEvent.yaml',
    from: "deleted_at: '2026-03-06T11:00:00.000Z'",
    to: 'deleted_at: null',
  },
  {
    name: 'a custom field value may have unknown properties',
    killedBy: 'lint',
    file: 'openapi/components/schemas/ContactFieldValue.yaml',
    from: 'unevaluatedProperties: false',
    to: 'unevaluatedProperties: true',
  },
  {
    name: 'a contact cannot be sent back as it was read, because deleted_at of its fields must not be null',
    killedBy:
      'test/server/features/contacts/update-contact.test.ts > accepts the unchanged contact as a body, and changes nothing, not even updated_at',
    file: 'openapi/components/schemas/ContactFieldValue.yaml',
    from: "type: [string, 'null']",
    to: 'type: string',
  },
  {
    name: 'getConversation does not document X-Truncated-Conversations, so it returns 500 for a very long conversation',
    killedBy:
      'test/server/features/conversations/conversations.test.ts > getConversation returns the newest thousand messages, and messages_before returns the older ones',
    file: 'openapi/components/responses/Conversation.yaml',
    from: '  X-Truncated-Conversations: { $ref: ../headers/TruncatedConversations.yaml }\n  X-Request-Id',
    to: '  X-Request-Id',
  },
];
