import { Command } from 'commander';
import { listCompanies } from '../storage/queries/companies.ts';
import { countStoredData, sumUsage, type UsagePeriod } from '../storage/queries/usage-counts.ts';
import type { Store } from '../storage/store.ts';
import { action, parseInteger, parseTimestampOption, requireCompany } from './action.ts';
import { cliIo } from './cli-io.ts';
import { formatTable } from './output.ts';

interface Options {
  company?: number;
  from?: number;
  to?: number;
  json?: true;
}

const dayMs = 86_400_000;
const defaultDays = 30;

const formatDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

export const companyUsage = (): Command =>
  new Command('usage')
    .description('Show requests, webhook requests and stored data per company, most requests first.')
    .option('--company <id>', 'only this company', parseInteger(1))
    .option(
      '--from <date>',
      `first day of the requests (default: ${defaultDays} days ago)`,
      parseTimestampOption,
    )
    .option('--to <date>', 'first day after them (default: tomorrow)', parseTimestampOption)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Days are in UTC. Requests include rejected ones, and webhook requests include repeated ones. Processes add their counts
every ten seconds. Stored data includes deleted data that is not erased yet; MB is the size of messages and events. The
command reads all stored data, so it can take minutes. An erased company has no name.

Examples:
  npm run -s parley -- company usage
  npm run -s parley -- company usage --company 1 --from 2026-11-01 --to 2026-12-01 --json`,
    )
    .action(
      action<Options>(async ({ store, now }, { company: companyId, from, to, json = false }) => {
        const today = Math.floor(now() / dayMs);
        const period = {
          from: from === undefined ? today - defaultDays : Math.floor(from / dayMs),
          to: to === undefined ? today + 1 : Math.ceil(to / dayMs),
        };
        const progress = cliIo().stderr.progress(json);
        const usage = await readUsage(store, { companyId, ...period }, progress.show).finally(progress.end);
        usage.sort((one, other) => other.requests - one.requests || one.companyId - other.companyId);
        return {
          text: formatTable(
            ['id', 'requests', 'webhook requests', 'contacts', 'conversations', 'messages', 'MB', 'name'],
            usage.map((each) => [
              each.companyId,
              each.requests,
              each.webhookRequests,
              each.contacts,
              each.conversations,
              each.messages,
              (each.bytes / 1e6).toFixed(1),
              each.name,
            ]),
          ),
          json: {
            from: formatDay(period.from),
            to: formatDay(period.to),
            companies: usage.map(({ companyId: id, webhookRequests, bytes, ...counts }) => ({
              id,
              ...counts,
              webhook_requests: webhookRequests,
              stored_bytes: bytes,
            })),
          },
        };
      }),
    );

/** Returns the requests of each company in a period, and the data that it stores now. */
async function readUsage(store: Store, period: UsagePeriod, onProgress: (text: string) => void) {
  const { companyId } = period;
  const { companies, counts } = await store.read(async (db) => {
    if (companyId !== undefined) await requireCompany(db, companyId);
    return {
      companies: (await listCompanies(db)).filter(({ id }) => companyId === undefined || id === companyId),
      counts: new Map((await sumUsage(db, period)).map((count) => [count.companyId, count])),
    };
  });
  const names = new Map(companies.map(({ id, name }) => [id, name]));
  const ids = new Set([...names.keys(), ...counts.keys()]);
  const usage = [];
  for (const id of ids) {
    onProgress(`company ${usage.length + 1} of ${ids.size}`);
    usage.push({
      name: names.get(id) ?? null,
      ...(counts.get(id) ?? { companyId: id, requests: 0, webhookRequests: 0 }),
      ...(await store.read((db) => countStoredData(db, id))),
    });
  }
  return usage;
}
