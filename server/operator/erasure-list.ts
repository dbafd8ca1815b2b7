import { Command } from 'commander';
import { timestamp } from '../contract/timestamp.ts';
import { type ErasureRow, listErasures } from '../storage/queries/erasures.ts';
import { action, momentFrom } from './action.ts';
import { minute, table } from './output.ts';

export const erasureList = (): Command =>
  new Command('list')
    .description('List the contacts and companies that operators erased, by their ids.')
    .option('--since <timestamp>', 'only those that were erased at or after it', momentFrom)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
A backup still holds what is erased after it. Keep this list on another machine, so that a restore can erase it again.

Example:
  npm run -s parley -- erasure list --json > erasures.json`,
    )
    .action(
      action<{ since?: number; json?: true }>(async ({ store }, { since }) => {
        const erasures = await store.read((db) => listErasures(db, since));
        const rows = erasures.map((row) => [row.company_id, row.kind, row.entity_id, minute(row.erased_at)]);
        return { text: table(['company', 'kind', 'id', 'erased'], rows), json: erasures.map(shownErasure) };
      }),
    );

/** An erasure as `erasure apply` reads it. */
export const shownErasure = (row: ErasureRow) => ({
  company_id: row.company_id,
  kind: row.kind,
  id: row.entity_id,
  created_at: timestamp(row.entity_created_at),
  erased_at: timestamp(row.erased_at),
});
