import { type OperationId, operations } from '../../../generated/operations.ts';
import type { ApiClient, ApiReply, ApiRequest } from '../../support/http.ts';
import type { createCompany } from '../../support/service.ts';

type Company = Awaited<ReturnType<typeof createCompany>>;

/** The kinds of objects that a path or body can refer to. */
export const entityTypes = ['contact', 'field', 'conversation', 'message', 'webhook'] as const;
export type EntityType = (typeof entityTypes)[number];

/** IDs of one object of every kind, in one company. */
export type Fixtures = Record<EntityType, number>;

/** Returns IDs of objects that need not exist. */
export const fixturesWith = (idOf: (index: number) => number): Fixtures =>
  Object.fromEntries(entityTypes.map((type, index) => [type, idOf(index)])) as Fixtures;

/** Creates one object of every kind. @param word part of every text in them */
export async function createFixtures(company: Company, word = 'Ada'): Promise<Fixtures> {
  const field = await company.field({ name: word });
  const contact = await company.contact({ first_name: word, fields: [{ id: field.id, value: word }] });
  const conversation = await company.conversation({ caller_id: contact });
  const message = await company.message(conversation, { payload: word });
  const url = `https://${word}.example.com/a`;
  const webhook = await company.webhook({ entity_id: 2, action_id: 2, url });
  return { contact, field: field.id, conversation: conversation.id, message: message.id, webhook };
}

const contactBody = (field: number) => ({
  first_name: 'Ada',
  last_name: null,
  email_address: null,
  telephone_number: null,
  avatar: null,
  status: 'online',
  from_integration: false,
  integration: null,
  from_whatsapp: false,
  from_email: false,
  fields: [{ id: field, value: 'B' }],
});

const webhookBody = { verb_id: 3, entity_id: 2, url: 'https://hooks.example.com/a', action_id: 1 };

/** A valid request for each operation. A missing entry is a compile error. */
export const validRequestOf: Record<
  OperationId,
  (of: Fixtures) => ApiRequest & { id?: number; query?: string }
> = {
  listContacts: () => ({}),
  createContact: ({ field }) => ({ body: { first_name: 'Ada', fields: [{ id: field, value: 'C' }] } }),
  searchContacts: () => ({ query: '?query=ada' }),
  getContact: ({ contact }) => ({ id: contact }),
  updateContact: ({ contact, field }) => ({ id: contact, body: contactBody(field) }),
  listCustomFields: () => ({}),
  listConversations: () => ({}),
  getConversation: ({ conversation }) => ({ id: conversation }),
  createMessage: ({ conversation }) => ({
    body: { conversation_id: conversation, type: 'text', payload: 'Hello' },
  }),
  getMessage: ({ message }) => ({ id: message }),
  createWebhook: () => ({ body: webhookBody }),
  updateWebhook: ({ webhook }) => ({ id: webhook, body: webhookBody }),
  deleteWebhook: ({ webhook }) => ({ id: webhook }),
};

export interface RequestChanges {
  id?: number;
  query?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Sends an operation's valid request, with changes. A query is appended to the existing one. */
export function sendValid(
  api: ApiClient,
  operation: OperationId,
  of: Fixtures,
  changes: RequestChanges = {},
): Promise<ApiReply> {
  const { method, path } = operations[operation];
  const { id, query = '', ...sent } = validRequestOf[operation](of);
  const whole = [query, changes.query?.slice(query ? 1 : 0)].filter(Boolean).join('&');
  const { id: otherId, query: _query, ...rest } = changes;
  return api.send(path.replace('{id}', String(otherId ?? id)) + whole, {
    method: method.toUpperCase(),
    ...sent,
    ...rest,
  });
}

/** All operations of the contract. */
export const operationIds = Object.keys(operations) as OperationId[];
