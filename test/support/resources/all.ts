import { contact } from './contact.ts';
import { conversation } from './conversation.ts';
import { field } from './field.ts';
import { message } from './message.ts';
import type { TestResource } from './resource.ts';
import { webhook } from './webhook.ts';

/** The resources, by the name that `x-id-of` gives to their IDs. Each can refer to those before it. */
export const resources = { field, contact, conversation, message, webhook } satisfies Record<
  string,
  TestResource
>;
