import type { ResponseTo } from '../../own-contract/handler.ts';
import { listFields } from '../../storage/queries/fields.ts';
import type { ApiHandler } from '../api-handler.ts';
import { presentField } from './present.ts';

export const listCustomFields: ApiHandler<'listCustomFields'> = async (
  { caller },
  { store },
): Promise<ResponseTo<'listCustomFields'>> => {
  const fields = await store.read((db) => listFields(db, caller.companyId));
  return { status: 200, body: fields.map((field) => presentField(field, null)) };
};
