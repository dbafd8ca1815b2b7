import { mostWebhooks } from '../../contract/constants.ts';
import { done } from '../../contract/done.ts';
import { type Handler, pathTo } from '../../contract/handler.ts';
import { notBefore } from '../../contract/timestamp.ts';
import type { AddressPolicy } from '../../egress/policy.ts';
import { forbiddenAddress, type Resolve } from '../../egress/resolver.ts';
import { Refused, refusal } from '../../errors.ts';
import type { Once } from '../../idempotency/idempotency.ts';
import type { Secrets } from '../../secrets/encryption.ts';
import { protectedBy } from '../../secrets/stored-response.ts';
import { mintSecret, placeOfSecret } from '../../secrets/webhook-secret.ts';
import { holdCompany } from '../../storage/locks.ts';
import { endDeliveries } from '../../storage/queries/deliveries.ts';
import {
  countWebhooks,
  findWebhook,
  holdWebhook,
  insertWebhook,
  updateWebhook as updateRow,
} from '../../storage/queries/webhooks.ts';
import type { Database, Store } from '../../storage/store.ts';
import { enableWebhook } from './enable-disable.ts';
import { addressNotAllowed, missingReadScope } from './rules.ts';

interface Needs {
  store: Store;
  /** Milliseconds since 1970. */
  now: () => number;
  once: Once;
  secrets: Secrets;
  addressPolicy: AddressPolicy;
  resolve: Resolve;
}

export const createWebhook: Handler<'createWebhook', Needs> = async ({ body, caller, headers }, needs) => {
  const { once, now, secrets } = needs;
  const { companyId, tokenId, scopes } = caller;
  const forbidden = missingReadScope(body, scopes);
  if (forbidden) return forbidden;
  const request = {
    companyId,
    // The stored response holds a secret, so no other token of the user gets it.
    owner: `token ${tokenId}`,
    key: headers['idempotency-key'],
    operation: 'createWebhook',
    body,
    protect: protectedBy(secrets, companyId),
    whyOutdated: async (db: Database, { body: id, headers: stored }: Created) => {
      const webhook = await findWebhook(db, companyId, id);
      const secret = webhook && secrets.open(webhook.secret, placeOfSecret(companyId, id));
      return secret === stored['Webhook-Secret']
        ? undefined
        : 'The response of this Idempotency-Key holds a secret that is no longer valid. Use a new key.';
    },
  };
  const create = async (db: Database) => {
    await holdCompany(db, companyId);
    if ((await countWebhooks(db, companyId)) >= mostWebhooks)
      throw new Refused(refusal('invalid', { message: `A company has at most ${mostWebhooks} webhooks.` }));
    const secret = mintSecret();
    const moments = { created_at: now(), updated_at: now(), deleted_at: null };
    const tokens = { created_by_token: tokenId, updated_by_token: tokenId };
    const row = { company_id: companyId, ...rowOf(body), ...tokens, last_sequence: 0, ...moments };
    // It is sealed for this very webhook, whose number is known only now.
    const id = await insertWebhook(db, { ...row, secret: new Uint8Array() });
    await updateRow(db, companyId, id, { secret: secrets.seal(secret, placeOfSecret(companyId, id)) });
    return {
      status: 201 as const,
      headers: { Location: pathTo('updateWebhook', id), 'Webhook-Secret': secret },
      body: id,
    };
  };
  // Where the answer is remembered, it does not matter to where the name resolves by now.
  return once(request, create, () => refuseForbidden(body.url, needs));
};

export const updateWebhook: Handler<'updateWebhook', Needs> = async ({ path, body, caller }, needs) => {
  const { store, now } = needs;
  const { companyId, tokenId, scopes } = caller;
  const forbidden = missingReadScope(body, scopes);
  if (forbidden) return forbidden;
  await refuseForbidden(body.url, needs);
  return store.write(async (db) => {
    const webhook = await holdWebhook(db, companyId, path.id);
    if (!webhook) return noSuchWebhook(path.id);
    // Pending deliveries go to the new URL, so the token must be allowed to read them too (D32).
    const forbiddenBefore = missingReadScope(webhook, scopes);
    if (forbiddenBefore) return forbiddenBefore;
    const row = rowOf(body);
    // What was wrong with an address says nothing of another one.
    const isMoved = row.url !== webhook.url || row.verb_id !== webhook.verb_id;
    const health = isMoved ? { failing_since: null } : {};
    const changed = { updated_by_token: tokenId, updated_at: notBefore(webhook, now()) };
    await updateRow(db, companyId, path.id, { ...row, ...health, ...changed });
    if (row.entity_id !== webhook.entity_id || row.action_id !== webhook.action_id)
      await endDeliveries(db, companyId, path.id);
    if (webhook.disabled_why === 'operator')
      return {
        status: 200,
        body: done(`Webhook ${path.id} was updated. It stays disabled: the operator disabled it.`),
      };
    if (webhook.disabled_at !== null) await enableWebhook(db, webhook, now());
    return { status: 200, body: done(`Webhook ${path.id} was updated.`) };
  }, companyId);
};

/** @throws Refused where the address is not allowed, as its name resolves now (D48) */
async function refuseForbidden(url: string, { addressPolicy, resolve }: Needs): Promise<void> {
  const wrong = await forbiddenAddress(url, addressPolicy, resolve);
  if (wrong !== undefined) throw new Refused(addressNotAllowed(wrong));
}

export const deleteWebhook: Handler<'deleteWebhook', Needs> = ({ path, caller }, { store, now }) =>
  store.write(async (db) => {
    const { companyId } = caller;
    const webhook = await holdWebhook(db, companyId, path.id);
    if (!webhook) return noSuchWebhook(path.id);
    const deletedAt = notBefore(webhook, now());
    await updateRow(db, companyId, path.id, { deleted_at: deletedAt, updated_at: deletedAt });
    await endDeliveries(db, companyId, path.id);
    return { status: 200, body: done(`Webhook ${path.id} was deleted.`) };
  }, caller.companyId);

const noSuchWebhook = (id: number) =>
  refusal('noSuchResource', { message: `There is no webhook ${id}.`, fields: 'path/id' });

function rowOf({ verb_id, entity_id, action_id, url, automation_id = null, ...unread }: Body) {
  // Does not compile where the contract takes a property that is not stored here.
  unread satisfies Record<string, never>;
  return { verb_id, entity_id, action_id, url, automation_id };
}

type Body = Parameters<typeof createWebhook>[0]['body'];

interface Created {
  headers: { 'Webhook-Secret': string };
  body: number;
}
