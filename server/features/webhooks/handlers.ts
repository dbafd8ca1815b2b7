import { ApiError } from '../../contract/errors.ts';
import { errorResponse } from '../../errors.ts';
import { maxWebhooks } from '../../own-contract/constants.ts';
import { type BodyOf, done, pathTo, type ResponseTo, readBody } from '../../own-contract/handler.ts';
import { notBefore } from '../../own-contract/timestamp.ts';
import { checkResolvedUrl } from '../../security/egress/resolver.ts';
import { createResponseEncryption } from '../../security/secrets/encryption.ts';
import { mintSecret, webhookSecretContext } from '../../security/secrets/webhook-secret.ts';
import { lockCompany } from '../../storage/locks.ts';
import { countRows } from '../../storage/queries/lists.ts';
import { insertRow, updateRow } from '../../storage/queries/rows.ts';
import { unsettle } from '../../storage/queries/unsettled-webhooks.ts';
import { findWebhook, findWebhookForUpdate } from '../../storage/queries/webhooks.ts';
import type { Database, Transaction } from '../../storage/store.ts';
import type { ApiHandler, HandlerDependencies } from '../api-handler.ts';
import { recordChange } from '../audit/record-change.ts';
import { enableWebhook, isDisabledByOperator } from './enable-disable.ts';
import { addressNotAllowed, missingReadScope } from './rules.ts';

export const createWebhook: ApiHandler<'createWebhook'> = async (
  input,
  dependencies,
): Promise<ResponseTo<'createWebhook'>> => {
  const { body, caller, headers } = input;
  const { runIdempotent, now, secrets } = dependencies;
  const { companyId, tokenId, scopes } = caller;
  const properties = readBody(body, readWebhook);
  const forbidden = missingReadScope(properties, scopes);
  if (forbidden) return forbidden;
  const request = {
    caller,
    // The stored response contains a secret, so it is replayed only to the token that created the webhook.
    isOfToken: true,
    key: headers['idempotency-key'],
    operation: 'createWebhook',
    body,
    protect: createResponseEncryption(secrets, companyId),
    whyOutdated: async (db: Database, { body: id, headers: stored }: Created) => {
      const webhook = await findWebhook(db, companyId, id);
      const secret = webhook && secrets.open(webhook.secret, webhookSecretContext(companyId, id));
      return secret === stored['Webhook-Secret']
        ? undefined
        : 'The response of this Idempotency-Key contains a secret that is no longer valid. Use a new key.';
    },
  };
  const create = async (db: Transaction) => {
    await lockCompany(db, companyId);
    if ((await countRows(db, 'webhooks', { companyId })) >= maxWebhooks)
      throw new ApiError(
        errorResponse('validationFailed', { message: `A company has at most ${maxWebhooks} webhooks.` }),
      );
    const secret = mintSecret();
    const timestamps = { created_at: now(), updated_at: now(), deleted_at: null };
    const tokens = { created_by_token: tokenId, updated_by_token: tokenId };
    const row = { company_id: companyId, ...properties, ...tokens, last_sequence: 0, ...timestamps };
    // The encrypted secret is bound to the webhook's ID, which is known only after the insert.
    const id = await insertRow(db, 'webhooks', { ...row, secret: new Uint8Array() });
    const sealed = secrets.seal(secret, webhookSecretContext(companyId, id));
    await updateRow(db, 'webhooks', { company_id: companyId, id }, { secret: sealed });
    await recordChange(db, input, 'createWebhook', id, now());
    return {
      status: 201 as const,
      headers: { Location: pathTo('updateWebhook', id), 'Webhook-Secret': secret },
      body: id,
    };
  };
  // The URL is not checked again when a stored response is returned.
  return runIdempotent(request, create, () => assertUrlAllowed(properties.url, dependencies));
};

export const updateWebhook: ApiHandler<'updateWebhook'> = async (
  input,
  dependencies,
): Promise<ResponseTo<'updateWebhook'>> => {
  const { path, body, caller } = input;
  const { store, now } = dependencies;
  const { companyId, tokenId, scopes } = caller;
  const properties = readBody(body, readWebhook);
  const forbidden = missingReadScope(properties, scopes);
  if (forbidden) return forbidden;
  await assertUrlAllowed(properties.url, dependencies);
  return store.write(async (db) => {
    const webhook = await findWebhookForUpdate(db, companyId, path.id);
    if (!webhook) return noSuchWebhook(path.id);
    // Waiting deliveries go to the new URL, so the token must be allowed to read them too (D32).
    const forbiddenBefore = missingReadScope(webhook, scopes);
    if (forbiddenBefore) return forbiddenBefore;
    // Failures of the old URL or method do not count against the new one.
    const isMoved = properties.url !== webhook.url || properties.verb_id !== webhook.verb_id;
    const health = isMoved ? { failing_since: null } : {};
    const changed = { updated_by_token: tokenId, updated_at: notBefore(webhook, now()) };
    await updateRow(db, 'webhooks', webhook, { ...properties, ...health, ...changed });
    await recordChange(db, input, 'updateWebhook', path.id, now());
    // Waiting deliveries of another event type are canceled.
    if (properties.entity_id !== webhook.entity_id || properties.action_id !== webhook.action_id)
      await unsettle(db, companyId, path.id);
    if (isDisabledByOperator(webhook))
      return {
        status: 200,
        body: done(`Webhook ${path.id} was updated. It stays disabled: the operator disabled it.`),
      };
    if (webhook.disabled_at !== null) await enableWebhook(db, webhook, now());
    return { status: 200, body: done(`Webhook ${path.id} was updated.`) };
  }, caller);
};

/** @throws ApiError if the egress policy denies the URL or an address of its host (D48) */
async function assertUrlAllowed(url: string, { addressPolicy, resolve }: HandlerDependencies): Promise<void> {
  const wrong = await checkResolvedUrl(url, addressPolicy, resolve);
  if (wrong !== undefined) throw new ApiError(addressNotAllowed(wrong));
}

export const deleteWebhook: ApiHandler<'deleteWebhook'> = (
  input,
  { store, now },
): Promise<ResponseTo<'deleteWebhook'>> => {
  const { path, caller } = input;
  const { companyId, scopes } = caller;
  return store.write(async (db) => {
    const webhook = await findWebhookForUpdate(db, companyId, path.id);
    if (!webhook) return noSuchWebhook(path.id);
    const forbidden = missingReadScope(webhook, scopes, 'path/id');
    if (forbidden) return forbidden;
    const deletedAt = notBefore(webhook, now());
    await updateRow(db, 'webhooks', webhook, { deleted_at: deletedAt, updated_at: deletedAt });
    await unsettle(db, companyId, path.id);
    await recordChange(db, input, 'deleteWebhook', path.id, now());
    return { status: 200 as const, body: done(`Webhook ${path.id} was deleted.`) };
  }, caller);
};

const noSuchWebhook = (id: number) =>
  errorResponse('notFound', { message: `There is no webhook ${id}.`, fields: 'path/id' });

const readWebhook = ({
  verb_id,
  entity_id,
  action_id,
  url,
  automation_id = null,
  ...remaining
}: BodyOf<'createWebhook'>) => [{ verb_id, entity_id, action_id, url, automation_id }, remaining] as const;

interface Created {
  headers: { 'Webhook-Secret': string };
  body: number;
}
