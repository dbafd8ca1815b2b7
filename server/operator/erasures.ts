import { readFile } from 'node:fs/promises';
import type { ApiError } from '../contract/errors.ts';
import { finishErasure } from '../features/privacy/finish-erasure.ts';
import { isDateTime } from '../lib/formats.ts';
import { parseTimestamp } from '../lib/parse-timestamp.ts';
import { formatTimestamp } from '../own-contract/timestamp.ts';
import {
  type Erasable,
  type ErasureRow,
  findErasable,
  findErasure,
  listErasures,
  recordErasure,
} from '../storage/queries/erasures.ts';
import { command } from './command.ts';
import { type CommandContext, cliIo, requireFile } from './context.ts';
import { formatMinute, listOf, type Output } from './output.ts';

export const erasureList = command<object>({
  name: 'erasure list',
  about: 'List the IDs of erased contacts and companies.',
  notes:
    'A backup still contains data that is erased later. Keep this list on another machine, to erase it again after a restore.',
  examples: ['erasure list --json > erasures.json'],
  async run({ store }) {
    const erasures = await store.read(listErasures);
    return listOf(erasures.map(formatErasure), 'company_id kind id erased_at');
  },
});

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

type Counts = Readonly<Record<string, number>>;

interface Erasure {
  entity: Erasable;
  /** Thrown if the entity does not exist, and no erasure of it is recorded. */
  missing: ApiError;
  /** Erases the rows. @returns the numbers of erased rows */
  erase: (options: EraseOptions) => Promise<Counts>;
  /** The numbers if nothing was left to erase. */
  none: Counts;
  /** Formats the numbers, after "Contact 4 erased". */
  describe: (erased: Counts) => string;
}

interface EraseOptions {
  now: number;
  onWaiting: (deliveries: number) => void;
}

/**
 * Erases an entity, and shows the progress. If the entity no longer exists, an earlier run may have been interrupted
 * after it erased the rows; then this one completes it.
 */
export async function eraseEntity(
  { store, now }: CommandContext,
  { entity, missing, erase, none, describe }: Erasure,
): Promise<Output> {
  const { company_id: companyId, kind, entity_id: id } = entity;
  const { show } = cliIo().progress;
  const onWaiting = (deliveries: number) =>
    show(
      `waiting until workers have released ${deliveries.toLocaleString('en')} webhook ${deliveries === 1 ? 'delivery' : 'deliveries'}`,
    );
  show('rows');
  const exists = await store.read((db) => findErasable(db, entity));
  if (exists) await store.write((db) => recordErasure(db, { ...entity, erased_at: now() }));
  else await finishErasure(store, companyId, [], { now: now(), onWaiting });
  const erased = exists ? await erase({ now: now(), onWaiting }) : none;
  show('file');
  const isScrubbed = await store.purgeDeleted();
  const recorded = await store.read((db) => findErasure(db, entity));
  if (!recorded) throw missing;
  const name = `${kind === 'contact' ? 'Contact' : 'Company'} ${id}`;
  const done = exists
    ? `${name} erased${describe(erased)}.`
    : `${name} no longer exists: its erasure was recorded at ${formatMinute(recorded.erased_at)} UTC, and is complete.`;
  return {
    text: `${done}${isScrubbed ? '' : ' The next VACUUM removes its rows from the database files.'}`,
    json: { id, state: 'erased', erased, files: isScrubbed ? 'cleared' : 'with the next VACUUM' },
  };
}
