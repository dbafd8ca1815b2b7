import { Command } from 'commander';
import { presentRow } from '../own-contract/present-row.ts';
import { type AuditRecordRow, listAuditRecords } from '../storage/queries/audit-records.ts';
import { action } from './action.ts';
import { parseInteger, parseTimestampOption } from './options.ts';
import { listOf } from './output.ts';

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
        return listOf(
          found.map(formatRecord),
          'created_at company_id operator token_id user_id action entity_id request_id options',
        );
      }),
    );

const formatRecord = (row: AuditRecordRow) => ({
  ...presentRow(row),
  company_id: row.company_id || null,
  options: row.options === null ? null : JSON.parse(row.options),
});
