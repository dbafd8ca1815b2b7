import { InvalidArgumentError, Option } from 'commander';
import { ApiError } from '../contract/errors.ts';
import type { LoggedAttempt } from '../delivery/attempt.ts';
import { messageId } from '../delivery/webhook-request.ts';
import { errorResponse } from '../errors.ts';
import { presentRow } from '../own-contract/present-row.ts';
import { type DeliveryState, stateNameOf, stateNames } from '../storage/delivery-states.ts';
import { type DeliveryRow, listDeliveries } from '../storage/queries/deliveries.ts';
import { listWebhooks } from '../storage/queries/webhooks.ts';
import type { Store } from '../storage/store.ts';
import { command } from './command.ts';
import { readOfCompanies, requireCompany, UsageError } from './context.ts';
import { ofCompany, parseInteger, type TimeRange, withTimeRange } from './options.ts';
import { listOf, type Output, recordOf } from './output.ts';
import { requireWebhook } from './webhooks.ts';

/** The parts of the ID of a delivery, which its receiver sees as `msg_WEBHOOK_SEQUENCE`. */
export interface DeliveryId {
  webhook: number;
  sequence: number;
}

/** Parses the ID of a delivery, as in the header `webhook-id`. */
export function parseDeliveryId(text: string): DeliveryId {
  const [, webhook, sequence] = /^msg_([1-9]\d{0,15})_([1-9]\d{0,15})$/.exec(text) ?? [];
  if (webhook && sequence) return { webhook: Number(webhook), sequence: Number(sequence) };
  throw new InvalidArgumentError('It must be a delivery ID, such as msg_31_118.');
}

/** Converts a delivery to JSON, without its payload, which is personal data. */
function formatDelivery(row: DeliveryRow) {
  /** The last attempts, oldest first. */
  const log: LoggedAttempt[] = JSON.parse(row.log);
  return {
    id: messageId(row.webhook_id, row.sequence),
    ...presentRow(row),
    state: stateNameOf(row.state),
    claimed: row.leased_by !== null,
    replayed: row.replayed === 1,
    last: log.at(-1)?.status ?? log.at(-1)?.problem ?? null,
    log,
  };
}

interface DeliveryListOptions extends TimeRange {
  company?: number;
  webhook?: number;
  delivery?: DeliveryId;
  state?: DeliveryState;
  limit: number;
}

export const deliveryList = command<DeliveryListOptions>({
  name: 'delivery list',
  about: 'List deliveries with the result of their last attempt, newest first.',
  options: (list) => {
    ofCompany(list)
      .option('--webhook <id>', 'only those of this webhook; needs --company', parseInteger(1))
      .addOption(
        new Option('--delivery <id>', 'only this one, with its last attempts; needs --company')
          .argParser(parseDeliveryId)
          .conflicts(['webhook', 'state', 'from', 'to']),
      )
      .addOption(new Option('--state <state>', 'only deliveries in this state').choices(stateNames));
    withTimeRange(list, 'events').option(
      '--limit <count>',
      'maximum number of deliveries',
      parseInteger(1, 10_000),
      50,
    );
  },
  examples: [
    'delivery list --state exhausted',
    'delivery list --company 1 --webhook 31',
    'delivery list --company 1 --webhook 31 --state exhausted --from 2026-03-02',
    'delivery list --company 1 --delivery msg_31_118',
  ],
  async run({ store }, options) {
    const { company, webhook, delivery, state, from, to, limit } = options;
    if (webhook !== undefined && company === undefined) throw new UsageError('--webhook needs --company.');
    if (delivery !== undefined) {
      if (company === undefined) throw new UsageError('--delivery needs --company.');
      return showDelivery(store, company, delivery);
    }
    const found = await readOfCompanies(store, company, async (db, companyId) => {
      const webhooks =
        webhook === undefined
          ? await listWebhooks(db, companyId)
          : [await requireWebhook(db, { company: companyId, webhook })];
      const lists = [];
      for (const { id: webhookId } of webhooks) {
        const selection = { companyId, webhookId, states: state && [state], from, to };
        lists.push(await listDeliveries(db, selection, { limit, newest: true }));
      }
      return lists.flat();
    });
    const rows = found
      .sort((one, other) => other.created_at - one.created_at || other.sequence - one.sequence)
      .slice(0, limit);
    return listOf(
      rows.map(formatDelivery),
      'company_id id type data_id state attempts last due_at created_at',
    );
  },
});

async function showDelivery(store: Store, company: number, delivery: DeliveryId): Promise<Output> {
  const { webhook: webhookId, sequence } = delivery;
  const [row] = await store.read(async (db) => {
    await requireCompany(db, company);
    return listDeliveries(db, { companyId: company, webhookId, sequence }, { limit: 1 });
  });
  if (!row)
    throw new ApiError(
      errorResponse('notFound', {
        message: `Company ${company} has no delivery ${messageId(webhookId, sequence)}. See: npm run -s parley -- delivery list --help`,
      }),
    );
  const { log, ...facts } = formatDelivery(row);
  return {
    text: [recordOf(facts).text, listOf(log, 'at status problem ms message answer').text].join('\n\n'),
    json: { ...facts, log },
  };
}
