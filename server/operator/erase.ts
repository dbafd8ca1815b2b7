import type { ApiError } from '../contract/errors.ts';
import { finishErasure } from '../features/privacy/finish-erasure.ts';
import { type Erasable, findErasable, findErasure, recordErasure } from '../storage/queries/erasures.ts';
import type { CommandContext } from './action.ts';
import { cliIo } from './cli-io.ts';
import { formatMinute, type Output } from './output.ts';

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
  show: (progress: string) => void;
  onWaiting: (deliveries: number) => void;
}

/**
 * Erases an entity, and shows the progress. If the entity no longer exists, an earlier run may have been interrupted
 * after it erased the rows; then this one completes it.
 */
export async function eraseEntity(
  { store, now }: CommandContext,
  { entity, missing, erase, none, describe }: Erasure,
  asJson: boolean,
): Promise<Output> {
  const { company_id: companyId, kind, entity_id: id } = entity;
  const { show, end } = cliIo().stderr.progress(asJson);
  const onWaiting = (deliveries: number) =>
    show(
      `waiting until workers have released ${deliveries.toLocaleString('en')} webhook ${deliveries === 1 ? 'delivery' : 'deliveries'}`,
    );
  try {
    show('rows');
    const exists = await store.read((db) => findErasable(db, entity));
    if (exists) await store.write((db) => recordErasure(db, { ...entity, erased_at: now() }));
    else await finishErasure(store, companyId, [], { now: now(), onWaiting });
    const erased = exists ? await erase({ now: now(), show, onWaiting }) : none;
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
  } finally {
    end();
  }
}
