import type { Mutant } from '../mutant.ts';

/** Bugs in the contract. */
export const contractMutants: readonly Mutant[] = [
  {
    name: 'an update of a contact may leave out its integration, which is lost then',
    killedBy:
      'test/server/features/contacts/update-contact.test.ts > requires every writable property, and reports all missing ones together',
    area: 'contract',
    file: 'openapi/components/schemas/ContactUpdate.yaml',
    from: 'from_integration, integration, from_whatsapp, from_email, fields]',
    to: 'from_integration, from_whatsapp, from_email, fields]',
  },
  {
    name: 'a telephone number of 16 digits is let through',
    killedBy:
      'test/server/features/contacts/create-contact.test.ts > telephone_number takes what is just allowed and refuses what is just too much',
    area: 'contract',
    file: 'openapi/components/schemas/TelephoneNumber.yaml',
    from: '[0-9]{6,14}$',
    to: '[0-9]{6,15}$',
  },
  {
    name: 'get message does not document the 503, so a database that is away is answered with 500',
    killedBy: 'lint',
    area: 'contract',
    file: 'openapi/paths/messages_{id}.yaml',
    from: "    '500': { $ref: ../components/responses/InternalError.yaml }\n    '503': { $ref: ../components/responses/Unavailable.yaml }",
    to: "    '500': { $ref: ../components/responses/InternalError.yaml }",
  },
  {
    name: 'newest first cannot be asked for: the order desc is not known any more',
    killedBy:
      'test/server/features/contacts/list-contacts.test.ts > links keep the other parameters, and point to the first and previous page',
    area: 'contract',
    file: 'openapi/components/parameters/Order.yaml',
    from: 'enum: [asc, desc]',
    to: 'enum: [asc]',
  },
  {
    name: 'one conversation is given with its messages to a token that may not read messages',
    killedBy:
      'test/server/contract/tenant-isolation.test.ts > whatever an answer shows, a scope allows to read, and whatever is changed, one to write',
    area: 'contract',
    file: 'openapi/paths/conversations_{id}.yaml',
    from: "- bearerAuth: ['conversations:read', 'messages:read']",
    to: "- bearerAuth: ['conversations:read']",
  },
  {
    name: 'the example of the event of a deleted message shows one that is not deleted',
    killedBy:
      'test/server/contract/examples.test.ts > the example of an event shows the state after it, such as deleted or archived',
    area: 'contract',
    file: 'openapi/components/examples/MessageDeletedEvent.yaml',
    from: "deleted_at: '2026-03-06T11:00:00.000Z'",
    to: 'deleted_at: null',
  },
  {
    name: 'a value of a custom field may carry properties that nobody knows',
    killedBy: 'lint',
    area: 'contract',
    file: 'openapi/components/schemas/ContactFieldValue.yaml',
    from: 'unevaluatedProperties: false',
    to: 'unevaluatedProperties: true',
  },
  {
    name: 'a contact cannot be sent back as it was read: the deleted_at of its fields may not be null',
    killedBy:
      'test/server/features/contacts/update-contact.test.ts > accepts the unchanged contact as a body, and changes nothing, not even updated_at',
    area: 'contract',
    file: 'openapi/components/schemas/ContactFieldValue.yaml',
    from: "type: [string, 'null']",
    to: 'type: string',
  },
  {
    name: 'get conversation does not document X-Truncated-Conversations, so a very long conversation is answered with 500',
    killedBy:
      'test/server/features/conversations/conversations.test.ts > getConversation returns the newest thousand messages, and messages_before every older one',
    area: 'contract',
    file: 'openapi/components/responses/Conversation.yaml',
    from: '  X-Truncated-Conversations: { $ref: ../headers/TruncatedConversations.yaml }\n  X-Request-Id',
    to: '  X-Request-Id',
  },
];
