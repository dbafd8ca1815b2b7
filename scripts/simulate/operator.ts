import { eraseContact } from '../../server/features/privacy/erase-contact.ts';
import { disableWebhookForOperator, enableWebhook } from '../../server/features/webhooks/enable-disable.ts';
import { rotateSecret } from '../../server/features/webhooks/rotate-secret.ts';
import type { Secrets } from '../../server/security/secrets/encryption.ts';
import { revokeToken } from '../../server/storage/queries/tokens.ts';
import { findWebhookForUpdate } from '../../server/storage/queries/webhooks.ts';
import { maxRenewalMs } from '../../server/storage/queue-types.ts';
import type { Store } from '../../server/storage/store.ts';
import { committedText, leasedContacts, type Query } from './checks.ts';
import type { ClientWorld } from './clients.ts';
import type { OperatorStep } from './plan.ts';
import { inSeconds, violate } from './violation.ts';
import type { World } from './world.ts';

/** The surroundings of the operator, simulated or real. */
interface OperatorWorld extends Pick<ClientWorld, 'model' | 'companies' | 'time' | 'note'> {
  store: Store;
  secrets: Secrets;
  query: Query;
  inFlight: World['inFlight'];
  isDisturbed: World['isDisturbed'];
  hasClockMoved: boolean;
}

/** Workers release canceled deliveries when they renew their leases, or when they have stopped, which takes up to 10 s. */
const maxErasureMs = maxRenewalMs + 12_000;

/** Creates the operator, who runs commands on the database. */
export function createOperator(world: OperatorWorld) {
  const { store, secrets, model, companies, query } = world;
  const disabled = new Map<number, OperatorStep>();

  async function erase({ company, pick }: OperatorStep): Promise<void> {
    const known = model.known(company).filter(({ pending }) => pending === 0);
    const { id: companyId } = companies[company] ?? {};
    // Those whose events are in flight are more interesting.
    const leased = await leasedContacts(query);
    const chosen = known.filter(({ id }) => id !== undefined && leased.has(id));
    const contact = chosen[pick % chosen.length] ?? known[pick % known.length];
    if (!contact?.id || !companyId) return;
    contact.erasure = 'requested';
    const startedAt = world.time();
    world.note(`erases ${contact.marker}`);
    const checkWait = () => {
      const waitedMs = world.time() - Math.max(startedAt, contact.sentUntil ?? 0);
      // Leases that a killed worker took while its clock was ahead end later.
      if (waitedMs > maxErasureMs && !world.isDisturbed(startedAt) && !world.hasClockMoved)
        violate(
          'an erasure waits only for requests in flight',
          `The erasure of ${contact.marker} took ${inSeconds(waitedMs)} while no request with its data was in flight.`,
        );
    };
    await eraseContact(store, companyId, contact.id, { now: Date.now() }).finally(checkWait);
    world.note(`has erased ${contact.marker}`);
    contact.erasure = 'acknowledged';
    contact.erasedAt = world.time();
    const rule = 'nothing of an erased contact leaves';
    if ((await committedText(query)).includes(contact.marker))
      violate(rule, `The database still contains ${contact.marker} when its erasure is acknowledged.`);
    for (const sent of world.inFlight)
      if (sent.body.includes(contact.marker) && !world.isDisturbed(sent.at))
        violate(
          rule,
          `${sent.process.name} still sends ${contact.marker} as delivery ${sent.webhook}:${sent.sequence} when its erasure is acknowledged.`,
        );
  }

  async function revoke({ company, pick }: OperatorStep): Promise<void> {
    const tokens = companies[company]?.tokens ?? [];
    const token = tokens[pick % tokens.length];
    if (!token) return;
    world.note(`revokes token ${token.id}`);
    const companyId = companies[company]?.id ?? 0;
    await store.write((db) => revokeToken(db, companyId, token.id, Date.now()));
    world.note(`has revoked token ${token.id}`);
    if (model.revokedTokens.has(token.token)) return;
    model.revokedTokens.set(token.token, world.time());
    const stored = await committedText(query);
    for (const { token: writer, text } of model.writes)
      if (writer === token.token && !stored.includes(text)) model.forbidden.push(text);
  }

  async function setEnabled(step: OperatorStep): Promise<void> {
    const { kind, company, pick } = step;
    const { id: companyId = 0, webhooks = [] } = companies[company] ?? {};
    const webhook = webhooks[pick % webhooks.length] ?? 0;
    world.note(`${kind}s webhook ${webhook}`);
    if (kind === 'disable') disabled.set(webhook, step);
    if (kind === 'enable') model.disabledAt.delete(webhook);
    await store.write(async (db) => {
      const row = await findWebhookForUpdate(db, companyId, webhook);
      if (!row) return;
      if (kind === 'disable') await disableWebhookForOperator(db, row, Date.now());
      else if (kind === 'enable') await enableWebhook(db, row, Date.now());
      else await rotateSecret(db, row, secrets, Date.now());
    });
    world.note(`has ${kind}d webhook ${webhook}`);
    if (kind === 'disable') model.disabledAt.set(webhook, world.time());
  }

  return {
    /** Runs a command. It may fail, if the database is locked, or if a request cannot be awaited. */
    async run(step: OperatorStep): Promise<void> {
      const running =
        step.kind === 'erase' ? erase(step) : step.kind === 'revoke' ? revoke(step) : setEnabled(step);
      await running.catch((error: unknown) => world.note(`failed: ${String(error)}`));
    },
    /** Enables all webhooks that were disabled, as soon as no suspended process locks the database. */
    async enableAll(): Promise<void> {
      for (const step of disabled.values())
        for (let isEnabled = false; !isEnabled; )
          isEnabled = await setEnabled({ ...step, kind: 'enable' }).then(
            () => true,
            () => false,
          );
    },
  };
}
