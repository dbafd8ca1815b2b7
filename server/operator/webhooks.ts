import { Option } from 'commander';
import { ApiError } from '../contract/errors.ts';
import { errorResponse } from '../errors.ts';
import {
  disableWebhookForOperator,
  enableWebhook,
  isDisabledByOperator,
} from '../features/webhooks/enable-disable.ts';
import { rotateSecret } from '../features/webhooks/rotate-secret.ts';
import { presentRow } from '../own-contract/present-row.ts';
import { formatTimestamp } from '../own-contract/timestamp.ts';
import { eventTypeOf, httpMethodOf } from '../own-contract/webhook-selectors.ts';
import { openConfiguredSecrets } from '../runtime/bootstrap.ts';
import { readConfig } from '../runtime/config/config.ts';
import { countDeliveries } from '../storage/queries/deliveries.ts';
import {
  findWebhook,
  findWebhookForUpdate,
  listWebhooks,
  type WebhookRow,
} from '../storage/queries/webhooks.ts';
import type { Database, Store } from '../storage/store.ts';
import { command, type Ids } from './command.ts';
import { cliIo, readOfCompanies, requireCompany, UsageError } from './context.ts';
import { ofCompany, parseBoolean, parseInteger } from './options.ts';
import { formatMinute, listOf, type Output, recordOf } from './output.ts';

/** The options of a command on one webhook. */
export type WebhookLocation = Ids<'company' | 'webhook'>;

/** Reads a webhook. @throws ApiError if it does not exist */
export const requireWebhook = (db: Database, location: WebhookLocation): Promise<WebhookRow> =>
  required(db, location, findWebhook);

/** Reads and locks a webhook. @throws ApiError if it does not exist */
const requireWebhookForUpdate = (db: Database, location: WebhookLocation): Promise<WebhookRow> =>
  required(db, location, findWebhookForUpdate);

async function required(
  db: Database,
  { company, webhook: id }: WebhookLocation,
  find: typeof findWebhook,
): Promise<WebhookRow> {
  await requireCompany(db, company);
  const webhook = await find(db, company, id);
  if (webhook) return webhook;
  throw new ApiError(
    errorResponse('notFound', {
      message: `Company ${company} has no webhook ${id}. See: npm run -s parley -- webhook list --company ${company}`,
    }),
  );
}

/** Describes the state of a webhook: `on`, `failing`, or `off` with the reason. */
const stateOf = ({ disabled_at, disabled_why, failing_since }: WebhookRow): string => {
  if (disabled_at !== null) return `off (${disabled_why})`;
  return failing_since === null ? 'on' : 'failing';
};

/** Converts a webhook to JSON, without its secrets. */
export const formatWebhook = (row: WebhookRow) => ({
  ...presentRow(row),
  event: eventTypeOf(row.entity_id, row.action_id) ?? null,
  method: httpMethodOf(row.verb_id),
  state: stateOf(row),
});

const isFailing = ({ failing_since, disabled_at, disabled_why }: WebhookRow): boolean =>
  failing_since !== null || (disabled_at !== null && disabled_why !== 'operator');

export const webhookList = command<Partial<WebhookLocation> & { failing?: true }>({
  name: 'webhook list',
  about: 'List webhooks, without their secrets.',
  options: (list) =>
    ofCompany(list)
      .addOption(
        new Option('--webhook <id>', 'only this one, with its health and its deliveries; needs --company')
          .argParser(parseInteger(1))
          .conflicts('failing'),
      )
      .option('--failing', 'only those that fail, or that the service has disabled'),
  examples: ['webhook list --company 1', 'webhook list --company 1 --webhook 31', 'webhook list --failing'],
  async run({ store }, { company, webhook, failing }) {
    if (webhook !== undefined) {
      if (company === undefined) throw new UsageError('--webhook needs --company.');
      return showWebhook(store, { company, webhook });
    }
    const all = await readOfCompanies(store, company, listWebhooks);
    const webhooks = failing ? all.filter(isFailing) : all;
    return listOf(
      webhooks.map(formatWebhook),
      'company_id id event state last_sequence created_by_token updated_by_token method url',
    );
  },
});

async function showWebhook(store: Store, location: WebhookLocation): Promise<Output> {
  const { row, counts } = await store.read(async (db) => ({
    row: await requireWebhook(db, location),
    counts: await countDeliveries(db, location.company, location.webhook),
  }));
  return recordOf({ ...formatWebhook(row), deliveries: counts });
}

export const webhookUpdate = command<WebhookLocation & { enabled: 0 | 1 }>({
  name: 'webhook update',
  about: 'Disable or enable a webhook.',
  of: ['company', 'webhook'],
  options: (update) =>
    update.requiredOption('--enabled <yes|no>', 'whether events are sent: yes or no', parseBoolean),
  notes: 'The events of a disabled webhook are kept for 30 days. When it is enabled, they are sent first.',
  examples: ['webhook update --company 1 --webhook 31 --enabled no'],
  async run({ store, now }, { enabled, ...location }) {
    const changed = await store.write(async (db) => {
      const webhook = await requireWebhookForUpdate(db, location);
      // The operator can also disable a webhook that is already disabled because it failed. An API update can
      // then no longer enable the webhook (D47).
      if (enabled ? webhook.disabled_at === null : isDisabledByOperator(webhook)) return false;
      await (enabled ? enableWebhook : disableWebhookForOperator)(db, webhook, now());
      return true;
    });
    const state = enabled ? 'enabled' : 'disabled';
    return {
      text: `Webhook ${location.webhook} ${changed ? state : `was ${state} already`}.`,
      json: { id: location.webhook, disabled: !enabled, changed },
    };
  },
});

export const webhookRotateSecret = command<WebhookLocation>({
  name: 'webhook rotate-secret',
  about: 'Replace the secret of a webhook, and print the new one once. The old one signs too for 24 hours.',
  of: ['company', 'webhook'],
  notes: 'Needs the encryption key of the service (PARLEY_SECRET_KEY).',
  examples: ['webhook rotate-secret --company 1 --webhook 31'],
  async run({ store, now }, location) {
    const secrets = await openConfiguredSecrets(readConfig(cliIo().env), store);
    const { secret, previousUntil } = await store.write(async (db) =>
      rotateSecret(db, await requireWebhookForUpdate(db, location), secrets, now()),
    );
    return {
      text: `Webhook ${location.webhook} has a new secret, which is not shown again:\n\n  ${secret}\n\nThe old secret signs too until ${formatMinute(previousUntil)} UTC.`,
      json: { id: location.webhook, secret, previous_secret_until: formatTimestamp(previousUntil) },
    };
  },
});
