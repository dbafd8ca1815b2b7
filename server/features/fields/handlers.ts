import type { Handler, ResponseTo } from '../../own-contract/handler.ts';
import type { CallerStore } from '../../security/auth/caller-store.ts';
import { listFields } from '../../storage/queries/fields.ts';
import { presentField } from './present.ts';

export const listCustomFields: Handler<'listCustomFields', { store: CallerStore }> = async (
  { caller },
  { store },
): Promise<ResponseTo<'listCustomFields'>> => {
  const fields = await store.read((db) => listFields(db, caller.companyId));
  return { status: 200, body: fields.map((field) => presentField(field, null)) };
};
