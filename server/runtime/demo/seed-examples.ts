import document from '../../../generated/openapi.json' with { type: 'json' };
import { withDefaults } from '../../features/contacts/columns.ts';
import { addContact } from '../../features/contacts/create.ts';
import { applyContactUpdate, readContactUpdate } from '../../features/contacts/update.ts';
import { openConversation } from '../../features/conversations/open.ts';
import { addField, updateFieldDefinition } from '../../features/fields/definitions.ts';
import { addMessage } from '../../features/messages/add.ts';
import { markMessageRead } from '../../features/messages/update.ts';
import { disableWebhookForOperator } from '../../features/webhooks/enable-disable.ts';
import type { Schemas } from '../../own-contract/handler.ts';
import type { Secrets } from '../../security/secrets/encryption.ts';
import { mintSecret, webhookSecretContext } from '../../security/secrets/webhook-secret.ts';
import { engineOf } from '../../storage/engine.ts';
import { insertCompany } from '../../storage/queries/companies.ts';
import { insertRow } from '../../storage/queries/rows.ts';
import { findWebhookForUpdate } from '../../storage/queries/webhooks.ts';
import type { Schema } from '../../storage/schema.ts';
import type { Transaction } from '../../storage/store.ts';

const examples = document.components.examples;
const { CustomFields, ContactPage, ConversationPage, WebhookContactUpdated, CreatedWebhook31 } = examples;
const fields = CustomFields.value as Schemas['CustomField'][];
const contacts = ContactPage.value as Schemas['Contact'][];
const conversations = ConversationPage.value as Schemas['Conversation'][];

/** The company of the examples, and a user who writes messages in them. */
export const exampleCaller = {
  companyId: examples.Contact4021.value.company_id,
  userId: examples.MessageCreateReply.value.user_id,
};

/**
 * Creates the company of the contract's examples: the same IDs, properties and timestamps, so that every example request
 * succeeds. Its webhook is disabled, because the URL of the example does not exist.
 */
export async function seedExamples(db: Transaction, secrets: Secrets): Promise<void> {
  const { companyId } = exampleCaller;
  const start = examples.CustomFields.value[0]?.created_at ?? '';
  await startAt(db, 'companies', companyId);
  await insertCompany(db, { name: 'Demo company', created_at: Date.parse(start) });
  for (const field of fields) await seedField(db, companyId, field);
  for (const contact of contacts) await seedContact(db, companyId, contact);
  for (const conversation of conversations) await seedConversation(db, companyId, conversation);
  await seedWebhook(db, companyId, secrets);
}

/** Makes `id` the next ID of a table. */
const startAt = (db: Transaction, table: keyof Schema, id: number) =>
  engineOf(db).raiseIdSequence(db, table, id - 1);

async function seedField(
  db: Transaction,
  companyId: number,
  { id, name, type, icon, order, is_unique: isUnique, created_at, updated_at }: Schemas['CustomField'],
): Promise<void> {
  await startAt(db, 'fields', id);
  const isChanged = updated_at !== created_at;
  const first = { name, type, icon: isChanged ? 'note' : icon, order, isUnique };
  await addField(db, companyId, first, Date.parse(created_at));
  if (isChanged) await updateFieldDefinition(db, companyId, id, { icon }, Date.parse(updated_at));
}

async function seedContact(db: Transaction, companyId: number, contact: Schemas['Contact']): Promise<void> {
  const { id, created_at, updated_at } = contact;
  await startAt(db, 'contacts', id);
  await addContact(db, companyId, withDefaults(contact), () => Date.parse(created_at));
  if (updated_at === created_at) return;
  const [update] = readContactUpdate(contact);
  await applyContactUpdate(db, { companyId, id, contact: update }, () => Date.parse(updated_at));
}

async function seedConversation(
  db: Transaction,
  companyId: number,
  { id, caller_id, service, created_at, messages, ...shown }: Schemas['Conversation'],
): Promise<void> {
  const { user_id, team_id, webchat_socket_channel, no_matches_count } = shown;
  await startAt(db, 'conversations', id);
  const settings = {
    ...{ user_id, team_id, webchat_socket_channel, no_matches_count },
    chatbot_enabled: shown.chatbot_enabled ? 1 : 0,
    out_of_office_replied: shown.out_of_office_replied ? 1 : 0,
  } as const;
  const opened = { caller_id, service, ...settings };
  let conversation = await openConversation(db, companyId, opened, Date.parse(created_at));
  for (const message of messages) {
    await startAt(db, 'messages', message.id);
    await addMessage(db, conversation, message, Date.parse(message.created_at));
    if (message.user_id !== null) conversation = { ...conversation, new: 0 };
    if (message.read)
      await markMessageRead(db, { companyId, id: message.id, now: Date.parse(message.updated_at) });
  }
}

async function seedWebhook(db: Transaction, companyId: number, secrets: Secrets): Promise<void> {
  const id = CreatedWebhook31.value;
  const now = Date.parse(contacts[0]?.created_at ?? '');
  await startAt(db, 'webhooks', id);
  await insertRow(db, 'webhooks', {
    ...(WebhookContactUpdated.value as Pick<
      Schemas['Webhook'],
      'verb_id' | 'entity_id' | 'action_id' | 'url'
    >),
    company_id: companyId,
    automation_id: null,
    secret: secrets.seal(mintSecret(), webhookSecretContext(companyId, id)),
    last_sequence: 0,
    created_by_token: null,
    updated_by_token: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  });
  const webhook = await findWebhookForUpdate(db, companyId, id);
  if (webhook) await disableWebhookForOperator(db, webhook, now);
}
