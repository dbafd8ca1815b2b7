import type { Edit } from '../diff/contract-change.ts';

/**
 * A change of the contract, with the consumers that it breaks: those in `consumers/`, the inbox of the guides with the samples
 * of the guide on React (`inbox`), the receiver of the guide on webhooks, which prints all events, and the portal's console.
 */
export interface LabelledChange {
  name: string;
  edits: readonly Edit[];
  breaks: readonly string[];
}

const schemas = '/components/schemas';
const contact = `${schemas}/Contact/properties`;
const parameters = '/components/parameters';
const integer = { type: 'integer' };
const text = { type: 'string' };

/** All consumers with the client's methods: the client reads error responses. */
const withClient = [
  'contact-names',
  'contact-export',
  'contact-import',
  'rename-contact',
  'search-box',
  'send-message',
  'conversation-view',
  'open-conversations',
  'count-contacts',
  'custom-fields',
  'manage-webhooks',
  'query-hooks',
  'inbox',
];

/** Changes that do not touch each other. One comparison finds all of them. */
export const labelledChanges: readonly LabelledChange[] = [
  {
    name: 'first name of contacts removed',
    edits: [[`${contact}/first_name`]],
    breaks: ['contact-names', 'contact-export', 'rename-contact', 'inbox', 'receiver'],
  },
  {
    name: 'address of contacts becomes a number',
    edits: [[`${contact}/email_address`, integer]],
    breaks: ['contact-names', 'contact-export', 'rename-contact', 'receive-contacts', 'inbox', 'receiver'],
  },
  {
    name: 'telephone number of contacts removed',
    edits: [[`${contact}/telephone_number`]],
    breaks: ['search-box', 'contact-export', 'rename-contact', 'inbox', 'receiver'],
  },
  {
    name: 'status of contacts becomes a number',
    edits: [[`${contact}/status`, integer]],
    breaks: ['contact-status', 'contact-export', 'rename-contact', 'inbox', 'receiver'],
  },
  {
    name: 'avatar of contacts removed',
    edits: [[`${contact}/avatar`]],
    breaks: ['query-hooks', 'contact-export', 'rename-contact', 'inbox', 'receiver'],
  },
  {
    name: 'company of contacts removed',
    edits: [[`${contact}/company_id`]],
    breaks: ['contact-export', 'receiver'],
  },
  {
    name: 'time of the last update of contacts removed',
    edits: [[`${contact}/updated_at`]],
    breaks: ['contact-export', 'receiver'],
  },
  {
    name: 'fields of contacts removed',
    edits: [[`${contact}/fields`]],
    breaks: ['custom-fields', 'contact-export', 'rename-contact', 'inbox', 'receiver'],
  },
  {
    name: 'name of custom fields removed',
    edits: [[`${schemas}/CustomField/properties/name`]],
    breaks: ['custom-fields', 'plain-fetch'],
  },
  {
    name: 'order of custom fields becomes text',
    edits: [[`${schemas}/CustomField/properties/order`, text]],
    breaks: ['custom-fields'],
  },
  {
    name: 'type of custom fields removed',
    edits: [[`${schemas}/CustomField/properties/type`]],
    breaks: ['plain-fetch'],
  },
  { name: 'icon of custom fields removed', edits: [[`${schemas}/CustomField/properties/icon`]], breaks: [] },
  {
    name: 'payload of messages becomes a number',
    edits: [[`${schemas}/Message/properties/payload`, integer]],
    breaks: ['conversation-view', 'receive-messages', 'inbox', 'receiver'],
  },
  {
    name: 'author of messages removed',
    edits: [[`${schemas}/Message/properties/user_id`]],
    breaks: ['conversation-view', 'receiver'],
  },
  {
    name: 'time of messages removed',
    edits: [[`${schemas}/Message/properties/created_at`]],
    breaks: ['conversation-view', 'receiver'],
  },
  {
    name: 'state of messages removed',
    edits: [[`${schemas}/Message/properties/read`]],
    breaks: ['receiver'],
  },
  {
    name: 'state of conversations removed',
    edits: [[`${schemas}/Conversation/properties/is_closed`]],
    breaks: ['conversation-view', 'open-conversations', 'receiver'],
  },
  {
    name: 'service of conversations becomes a number',
    edits: [[`${schemas}/Conversation/properties/service`, integer]],
    breaks: ['open-conversations', 'receiver'],
  },
  {
    name: 'archive of conversations removed',
    edits: [[`${schemas}/Conversation/properties/archived`]],
    breaks: ['open-conversations', 'receiver'],
  },
  {
    name: 'team of conversations removed',
    edits: [[`${schemas}/Conversation/properties/team_id`]],
    breaks: ['receiver'],
  },
  {
    name: 'messages of conversations removed',
    edits: [[`${schemas}/Conversation/properties/messages`]],
    breaks: ['conversation-view', 'inbox'],
  },
  {
    name: 'ID of a created entity becomes text',
    edits: [[`${schemas}/Created/properties/id`, text]],
    breaks: ['send-message', 'inbox'],
  },
  {
    name: 'ID of a created webhook becomes text',
    edits: [['/components/responses/WebhookCreated/content/application~1json/schema', text]],
    breaks: ['manage-webhooks'],
  },
  { name: 'fields of errors removed', edits: [[`${schemas}/Error/properties/fields`]], breaks: withClient },
  {
    name: 'telephone number of new contacts becomes required',
    edits: [[`${schemas}/ContactCreate/required`, ['telephone_number']]],
    breaks: ['contact-import'],
  },
  {
    name: 'first name of new contacts must be a number',
    edits: [[`${schemas}/ContactCreate/properties/first_name`, integer]],
    breaks: ['contact-import'],
  },
  {
    name: 'channel of new contacts must be text',
    edits: [[`${schemas}/ContactCreate/properties/from_whatsapp`, text]],
    breaks: [],
  },
  {
    name: 'first name of an updated contact must be a number',
    edits: [[`${schemas}/ContactUpdate/properties/first_name`, integer]],
    breaks: ['rename-contact', 'inbox'],
  },
  {
    name: 'status of an updated contact must be a number',
    edits: [[`${schemas}/ContactUpdate/properties/status`, integer]],
    breaks: ['rename-contact', 'inbox'],
  },
  {
    name: 'author of new messages becomes required',
    edits: [[`${schemas}/MessageCreate/required`, ['conversation_id', 'type', 'payload', 'user_id']]],
    breaks: ['send-message', 'query-hooks', 'inbox'],
  },
  {
    name: 'payload of new messages must be a number',
    edits: [[`${schemas}/MessageCreate/properties/payload`, integer]],
    breaks: ['send-message', 'query-hooks', 'inbox'],
  },
  {
    name: 'URL of webhooks must be a number',
    edits: [[`${schemas}/Webhook/properties/url`, integer]],
    breaks: ['manage-webhooks'],
  },
  {
    name: 'automation of webhooks removed',
    edits: [[`${schemas}/Webhook/properties/automation_id`]],
    breaks: [],
  },
  {
    name: 'size of pages must be text',
    edits: [[`${parameters}/PerPage/schema`, text]],
    breaks: ['contact-export', 'search-box', 'count-contacts', 'inbox'],
  },
  {
    name: 'option for anonymous contacts must be a number',
    edits: [[`${parameters}/IncludeAnonymous/schema`, integer]],
    breaks: ['count-contacts'],
  },
  {
    name: 'first date of lists becomes required',
    edits: [[`${parameters}/DateFrom/required`, true]],
    breaks: ['contact-names', 'contact-export', 'count-contacts', 'inbox'],
  },
  { name: 'order of lists must be a number', edits: [[`${parameters}/Order/schema`, integer]], breaks: [] },
  {
    name: 'query of searches must be a number',
    edits: [[`${parameters}/SearchQuery/schema`, integer]],
    breaks: ['search-box'],
  },
  {
    name: 'total count of contacts removed',
    edits: [['/components/responses/Contacts/headers/X-Total-Count']],
    breaks: ['count-contacts'],
  },
  {
    name: 'link to the next page of contacts removed',
    edits: [['/components/responses/Contacts/headers/Link']],
    breaks: ['contact-names', 'contact-export'],
  },
  {
    name: 'entity tag of contacts removed',
    edits: [['/components/responses/Contact/headers/ETag']],
    breaks: ['rename-contact', 'inbox'],
  },
  {
    name: 'secret of new webhooks removed',
    edits: [['/components/responses/WebhookCreated/headers/Webhook-Secret']],
    breaks: ['manage-webhooks'],
  },
  {
    name: 'event of deleted contacts removed',
    edits: [['/webhooks/contact.deleted']],
    breaks: ['receive-contacts', 'receiver'],
  },
  { name: 'event of updated messages removed', edits: [['/webhooks/message.updated']], breaks: ['receiver'] },
];

/** Removed operations. They contain other changes, so another comparison finds them. */
export const labelledRemovals: readonly LabelledChange[] = [
  {
    name: 'deletion of webhooks removed',
    edits: [['/paths/~1api~1v1~1webhooks~1{id}/delete']],
    breaks: ['manage-webhooks'],
  },
  { name: 'single messages removed', edits: [['/paths/~1api~1v1~1messages~1{id}']], breaks: [] },
  {
    name: 'search removed',
    edits: [['/paths/~1api~1v1~1contacts~1search']],
    breaks: ['search-box'],
  },
  {
    name: 'custom fields removed',
    edits: [['/paths/~1api~1v1~1fields']],
    breaks: ['custom-fields', 'plain-fetch'],
  },
  {
    name: 'update of contacts removed',
    edits: [['/paths/~1api~1v1~1contacts~1{id}/put']],
    breaks: ['rename-contact', 'inbox'],
  },
];
