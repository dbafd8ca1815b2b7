import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { isDateTime } from '../lib/formats.ts';
import { parseTimestamp } from '../lib/parse-timestamp.ts';
import { formatTimestamp } from '../own-contract/timestamp.ts';
import { type ErasureRow, listErasures } from '../storage/queries/erasures.ts';
import { action, requireFile } from './action.ts';
import { parseTimestampOption } from './options.ts';
import { listOf } from './output.ts';

export const erasureList = (): Command =>
  new Command('list')
    .description('List the IDs of erased contacts and companies.')
    .option('--since <timestamp>', 'only erasures at or after this time', parseTimestampOption)
    .addHelpText(
      'after',
      `
A backup still contains data that is erased later. Keep this list on another machine, to erase it again after a restore.

Example:
  npm run -s parley -- erasure list --json > erasures.json`,
    )
    .action(
      action<{ since?: number }>(async ({ store }, { since }) => {
        const erasures = await store.read((db) => listErasures(db, since));
        return listOf(erasures.map(formatErasure), 'company_id kind id erased_at');
      }),
    );

/** Formats an erasure in the format that `restore` reads. */
const formatErasure = (row: ErasureRow) => ({
  company_id: row.company_id,
  kind: row.kind,
  id: row.entity_id,
  created_at: formatTimestamp(row.entity_created_at),
  erased_at: formatTimestamp(row.erased_at),
});

/** Reads a list of erasures. @param file output of `erasure list --json`. @throws Error if the file is no such list */
export async function readErasures(file: string): Promise<ErasureRow[]> {
  const list = parsed(await readFile(requireFile(file), 'utf8'));
  const erasures = Array.isArray(list) ? list.map(erasureFrom) : [undefined];
  if (erasures.includes(undefined))
    throw new Error(
      `${file} is not a list of erasures. Make one with: npm run -s parley -- erasure list --json`,
    );
  return erasures.filter((erasure) => erasure !== undefined);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function erasureFrom(given: Partial<Record<string, unknown>> | null): ErasureRow | undefined {
  const { company_id, kind, id, created_at, erased_at } = given ?? {};
  const isId = (value: unknown): value is number => Number.isSafeInteger(value);
  const isTime = (value: unknown): value is string => typeof value === 'string' && isDateTime(value);
  if (!isId(company_id) || !isId(id) || !isTime(created_at) || !isTime(erased_at)) return undefined;
  if (kind !== 'contact' && kind !== 'company') return undefined;
  return {
    company_id,
    kind,
    entity_id: id,
    entity_created_at: parseTimestamp(created_at),
    erased_at: parseTimestamp(erased_at),
  };
}
