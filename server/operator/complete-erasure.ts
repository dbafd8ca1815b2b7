import type { ApiError } from '../contract/errors.ts';
import { noErasures } from '../privacy/erase-contact.ts';
import { finishErasure } from '../privacy/finish-erasure.ts';
import { type Erasable, findErasure } from '../storage/queries/erasures.ts';
import type { CommandContext } from './action.ts';
import { formatMinute, type Output } from './output.ts';

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
