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

/** A company as clients and checks expect it. */
export interface SimulatedCompany {
  id: number;
  tokens: { id: number; token: string }[];
  /** The ID of a custom field with unique values. */
  field: number;
  /** Receive the events contact.created and contact.updated, in this order. */
  webhooks: number[];
}

/**
 * Creates a company.
 * @param call sends a request to the service
 * @param urlOf returns the URL of a webhook by its number
 */
export async function createCompany(
  store: Store,
  call: (request: ApiRequest) => Promise<ApiReply | undefined>,
  urlOf: (number: number) => string,
): Promise<SimulatedCompany> {
  const now = Date.now();
  const company = await store.write(async (db) => {
    const id = await insertCompany(db, { name: 'A company', created_at: now });
    const field = await addField(
      db,
      id,
      { name: 'Code', type: 'short_text', icon: 'tag', order: undefined, isUnique: true },
      now,
    );
    const tokens: SimulatedCompany['tokens'] = [];
    for (let user = 1; user <= tokensPerCompany; user += 1)
      tokens.push(await issueToken(db, { companyId: id, userId: user, name: '', scopes, days: 90 }, now));
    return { id, field: field.id, tokens };
  });
  const token = company.tokens[0]?.token ?? '';
  const webhooks: number[] = [];
  for (const action_id of [1, 2]) {
    const body = { verb_id: 3, url: urlOf(webhooks.length), entity_id: 2, action_id };
    const reply = await call({ method: 'POST', url: '/api/v1/webhooks', token, body });
    if (reply?.status !== 201) throw new Error(`A webhook was rejected: ${reply?.text}`);
    webhooks.push(JSON.parse(reply.text));
  }
  return { ...company, webhooks };
}

/** A database with companies, of which each simulation gets a copy. */
export interface Template {
  file: string;
  companies: SimulatedCompany[];
}

/** Creates the template at a path. It is the same each time. */
export async function createTemplate(file: string): Promise<Template> {
  const scheduler = createScheduler(createPrng(1), 0);
  useScheduler(scheduler);
  const actor = scheduler.addActor('setup');
  let isMade = false;
  const making = scheduler.start(actor, async () => {
    const { store, handle, stop } = await startServiceProcess(actor, file, undefined, () => {});
    const companies: SimulatedCompany[] = [];
    for (let index = 1; index <= companyCount; index += 1)
      companies.push(
        await createCompany(store, handle, (number) => `https://receiver-${index}-${number}.example.com/`),
      );
    await stop();
    return companies;
  });
  void making.finally(() => {
    isMade = true;
  });
  await scheduler.drive(() => isMade);
  useScheduler(undefined);
  return { file, companies: await making };
}
