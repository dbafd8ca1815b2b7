import { Command } from 'commander';
import { formatTimestamp } from '../own-contract/timestamp.ts';
import { type ErasureRow, listErasures } from '../storage/queries/erasures.ts';
import { action, parseTimestampOption } from './action.ts';
import { formatMinute, formatTable } from './output.ts';

export const erasureList = (): Command =>
  new Command('list')
    .description('List the IDs of erased contacts and companies.')
    .option('--since <timestamp>', 'only erasures at or after this time', parseTimestampOption)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
A backup still contains data that is erased later. Keep this list on another machine, to erase it again after a restore.

Example:
  npm run -s parley -- erasure list --json > erasures.json`,
    )
    .action(
      action<{ since?: number; json?: true }>(async ({ store }, { since }) => {
        const erasures = await store.read((db) => listErasures(db, since));
        const rows = erasures.map((row) => [
          row.company_id,
          row.kind,
          row.entity_id,
          formatMinute(row.erased_at),
        ]);
        return {
          text: formatTable(['company', 'kind', 'id', 'erased'], rows),
          json: erasures.map(formatErasure),
        };
      }),
    );

/** Formats an erasure in the format that `erasure apply` reads. */
export const formatErasure = (row: ErasureRow) => ({
  company_id: row.company_id,
  kind: row.kind,
  id: row.entity_id,
  created_at: formatTimestamp(row.entity_created_at),
  erased_at: formatTimestamp(row.erased_at),
});
