import type { Database } from '../store.ts';
import type { ImportKeyTable } from '../tables/import-keys.ts';

type Kind = ImportKeyTable['kind'];

/** Returns the entity IDs of the import keys that are stored already. */
export async function findImportKeys(
  db: Database,
  companyId: number,
  kind: Kind,
  keys: readonly string[],
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('import_keys')
    .select(['key', 'id'])
    .where('company_id', '=', companyId)
    .where('kind', '=', kind)
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map(({ key, id }) => [key, id]));
}

export async function insertImportKeys(db: Database, rows: readonly ImportKeyTable[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('import_keys').values(rows).execute();
}
