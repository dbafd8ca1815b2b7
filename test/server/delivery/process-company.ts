import { scopes } from '../../../server/own-contract/scopes.ts';
import { issueToken } from '../../../server/security/auth/issue-token.ts';
import { insertCompany } from '../../../server/storage/queries/companies.ts';
import { createApiClient } from '../../support/api-client.ts';
import type { serviceAndWorker } from './delivery-processes.ts';
import { startReceiver } from './webhook-receiver.ts';

type Processes = Awaited<ReturnType<typeof serviceAndWorker>>;

/** Creates a company, and a webhook for new contacts through the API process. */
export async function createProcessCompany({ store, address }: Processes) {
  const receiver = await startReceiver();
  const { token } = await store.write(async (db) => {
    const companyId = await insertCompany(db, { name: 'A', created_at: Date.now() });
    return issueToken(db, { companyId, userId: 1, name: '', scopes, days: 90 }, Date.now());
  });
  const api = createApiClient(address.base, token);
  const made = await api.createWebhook({ verb_id: 3, entity_id: 2, action_id: 1, url: receiver.url });
  return { api, receiver, secret: made.headers.get('webhook-secret') ?? '' };
}
