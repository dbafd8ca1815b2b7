import { openConversation } from '../../server/features/conversations/open.ts';
import { addField } from '../../server/features/fields/definitions.ts';
import { scopes } from '../../server/own-contract/scopes.ts';
import { issueToken } from '../../server/security/auth/issue-token.ts';
import { insertCompany } from '../../server/storage/queries/companies.ts';
import type { Store } from '../../server/storage/store.ts';
import { createPrng } from '../lib/prng.ts';
import { useScheduler } from './environment.ts';
import { companyCount, tokensPerCompany } from './plan.ts';
import { createScheduler } from './scheduler.ts';
import { type ApiReply, type ApiRequest, startServiceProcess } from './service-process.ts';

export interface TemplateCompany {
  id: number;
  tokens: { id: number; token: string }[];
  /** The ID of a custom field with unique values. */
  field: number;
  conversation: number;
  /** Receives the events contact.created, contact.updated and message.created, in this order. */
  webhooks: number[];
}

/** A database with companies, of which each simulation gets a copy. */
export interface Template {
  file: string;
  companies: TemplateCompany[];
}

/** Creates the template at a path. It is the same each time. */
export async function createTemplate(file: string): Promise<Template> {
  const scheduler = createScheduler(createPrng(1), 0);
  useScheduler(scheduler);
  const actor = scheduler.addActor('setup');
  const made = Promise.withResolvers<TemplateCompany[]>();
  let isMade = false;
  scheduler.run(actor, () => {
    const making = (async () => {
      const service = await startServiceProcess(actor, file, undefined, made.reject);
      const companies: TemplateCompany[] = [];
      for (let index = 0; index < companyCount; index += 1)
        companies.push(
          await createCompany(
            service.store,
            service.handle,
            (number) => `https://receiver-${index + 1}-${number}.example.com/`,
          ),
        );
      await service.stop();
      isMade = true;
      return companies;
    })();
    making.then(made.resolve, made.reject);
  });
  await scheduler.drive(() => isMade);
  const companies = await made.promise;
  useScheduler(undefined);
  return { file, companies };
}

/**
 * Creates a company as clients and checks expect it.
 * @param call sends a request to the service
 * @param urlOf returns the URL of a webhook by its number
 */
export async function createCompany(
  store: Store,
  call: (request: ApiRequest) => Promise<ApiReply | undefined>,
  urlOf: (number: number) => string,
): Promise<TemplateCompany> {
  const now = Date.now();
  const company = await store.write(async (db) => {
    const id = await insertCompany(db, { name: 'A company', created_at: now });
    const field = await addField(
      db,
      id,
      { name: 'Code', type: 'short_text', icon: 'tag', order: undefined, isUnique: true },
      now,
    );
    const tokens: TemplateCompany['tokens'] = [];
    for (let user = 1; user <= tokensPerCompany; user += 1)
      tokens.push(await issueToken(db, { companyId: id, userId: user, name: '', scopes, days: 90 }, now));
    return { id, field: field.id, tokens };
  });
  const token = company.tokens[0]?.token ?? '';
  const post = async (url: string, body: object) => {
    const reply = await call({ method: 'POST', url, token, body });
    if (reply?.status !== 201) throw new Error(`The company was rejected: ${reply?.text}`);
    const created: number | { id: number } = JSON.parse(reply.text);
    return typeof created === 'number' ? created : created.id;
  };
  const contact = await post('/api/v1/contacts', { first_name: 'Template' });
  const conversation = await store.write((db) =>
    openConversation(db, company.id, { caller_id: contact, service: 'webchat' }, now),
  );
  const webhooks: number[] = [];
  for (const [entity_id, action_id] of [
    [2, 1],
    [2, 2],
    [5, 1],
  ]) {
    const url = urlOf(webhooks.length);
    webhooks.push(await post('/api/v1/webhooks', { verb_id: 3, url, entity_id, action_id }));
  }
  return { ...company, conversation: conversation.id, webhooks };
}
