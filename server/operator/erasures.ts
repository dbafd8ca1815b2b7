import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import type { ApiError } from '../contract/errors.ts';
import { noErasures } from '../features/privacy/erase-entities.ts';
import { finishErasure } from '../features/privacy/finish-erasure.ts';
import { isDateTime } from '../lib/formats.ts';
import { formatTimestamp, parseTimestamp } from '../own-contract/timestamp.ts';
import { type Erasable, type ErasureRow, findErasure, listErasures } from '../storage/queries/erasures.ts';
import { action, type CommandContext, requireFile } from './action.ts';
import { parseTimestampOption } from './options.ts';
import { formatMinute, formatTable, type Output } from './output.ts';

/**
 * Completes the erasure of an entity that no longer exists. An earlier run may have erased the rows, and been interrupted
 * before these steps.
 * @param missing thrown if no erasure of the entity is recorded
 */
export async function completeErasure(
  { store, now }: CommandContext,
  entity: Erasable,
  missing: ApiError,
): Promise<Output> {
  await finishErasure(store, entity.company_id, [], { now: now() });
  const isScrubbed = await store.purgeDeleted();
  const recorded = await store.read((db) => findErasure(db, entity));
  if (!recorded) throw missing;
  const { kind, entity_id: id, erased_at: erasedAt } = recorded;
  const name = kind === 'contact' ? 'Contact' : 'Company';
  return {
    text: `${name} ${id} no longer exists: its erasure was recorded at ${formatMinute(erasedAt)} UTC, and is complete.${isScrubbed ? '' : ' The next VACUUM removes its rows from the database files.'}`,
    json: {
      id,
      state: 'erased',
      erased: kind === 'contact' ? noErasures() : {},
      files: isScrubbed ? 'cleared' : 'with the next VACUUM',
    },
  };
}

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
