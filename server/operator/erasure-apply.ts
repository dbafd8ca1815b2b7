import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { isDateTime } from '../lib/formats.ts';
import { parseTimestamp } from '../own-contract/timestamp.ts';
import { applyErasures } from '../privacy/apply-erasures.ts';
import type { ErasureRow } from '../storage/queries/erasures.ts';
import { action, parsePath, requireFile } from './action.ts';
import { formatErasure } from './erasure-list.ts';

export const erasureApply = (): Command =>
  new Command('apply')
    .description('Repeat a list of erasures after a restore.')
    .requiredOption('--from <file>', 'output of erasure list --json', parsePath)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- erasure apply --from erasures.json')
    .action(
      action<{ from: string; json?: true }>(async ({ store, now }, { from }) => {
        const erasures = erasuresIn(await readFile(requireFile(from), 'utf8'), from);
        const applied = await applyErasures(store, erasures, now());
        return {
          text: `${applied.length} of ${erasures.length} erased again. The others did not exist.`,
          json: { listed: erasures.length, applied: applied.map(formatErasure) },
        };
      }),
    );

/** @throws Error if the file is not a list of erasures */
function erasuresIn(text: string, file: string): ErasureRow[] {
  const list = parsed(text);
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
