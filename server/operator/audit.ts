import { presentRow } from '../own-contract/present-row.ts';
import { type AuditRecordRow, listAuditRecords } from '../storage/queries/audit-records.ts';
import { command } from './command.ts';
import { ofCompany, parseInteger, type TimeRange, withTimeRange } from './options.ts';
import { listOf } from './output.ts';

export const auditList = command<TimeRange & { company?: number; token?: number; limit: number }>({
  name: 'audit list',
  about: 'List commands of operators and changes through the API, newest first.',
  options: (list) =>
    withTimeRange(
      ofCompany(list).option('--token <id>', 'only changes with this token', parseInteger(1)),
      'those',
    ).option('--limit <count>', 'maximum number of records', parseInteger(1, 100_000), 50),
  notes: 'Commands that change nothing, and commands that fail, leave no record.',
  examples: ['audit list --from 2026-11-25', 'audit list --company 1 --token 12 --json'],
  async run({ store }, { company, token, json: _json, ...selection }) {
    const found = await store.read((db) =>
      listAuditRecords(db, { ...selection, companyId: company, tokenId: token }),
    );
    return listOf(
      found.map(formatRecord),
      'created_at company_id operator token_id user_id action entity_id request_id options',
    );
  },
});

const formatRecord = (row: AuditRecordRow) => ({
  ...presentRow(row),
  company_id: row.company_id || null,
  options: row.options === null ? null : JSON.parse(row.options),
});
