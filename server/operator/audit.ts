import { Command } from 'commander';
import { formatTimestamp } from '../own-contract/timestamp.ts';
import { type AuditRecordRow, listAuditRecords } from '../storage/queries/audit-records.ts';
import { action } from './action.ts';
import { parseInteger, parseTimestampOption } from './options.ts';
import { formatMinute, formatTable } from './output.ts';

interface Options {
  company?: number;
  token?: number;
  from?: number;
  to?: number;
  limit: number;
}

export const auditList = (): Command =>
  new Command('list')
    .description('List commands of operators and changes through the API, newest first.')
    .option('--company <id>', 'only those of this company', parseInteger(1))
    .option('--token <id>', 'only changes with this token', parseInteger(1))
    .option('--from <timestamp>', 'only those at or after this time', parseTimestampOption)
    .option('--to <timestamp>', 'only those before this time', parseTimestampOption)
    .option('--limit <count>', 'maximum number of records', parseInteger(1, 100_000), 50)
    .addHelpText(
      'after',
      `
Commands that change nothing, and commands that fail, leave no record.

Examples:
  npm run -s parley -- audit list --from 2026-11-25
  npm run -s parley -- audit list --company 1 --token 12 --json`,
    )
    .action(
      action<Options>(async ({ store }, { company, token, json: _json, ...selection }) => {
        const found = await store.read((db) =>
          listAuditRecords(db, { ...selection, companyId: company, tokenId: token }),
        );
        const cells = found.map((row) => [
          formatMinute(row.created_at),
          row.company_id || null,
          actorOf(row),
          row.action,
          row.entity_id,
          row.options ?? row.request_id,
        ]);
        return {
          text: formatTable(['at', 'company', 'by', 'action', 'id', 'options or request ID'], cells),
          json: found.map(formatRecord),
        };
      }),
    );

const actorOf = ({ operator, token_id, user_id }: AuditRecordRow): string =>
  token_id === null ? `operator ${operator}` : `token ${token_id} (user ${user_id})`;

const formatRecord = ({ created_at, company_id, options, ...row }: AuditRecordRow) => ({
  ...row,
  company_id: company_id || null,
  options: options === null ? null : JSON.parse(options),
  created_at: formatTimestamp(created_at),
});
