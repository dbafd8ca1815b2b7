import { ownedTables } from '../../server/storage/schema.ts';
import type { Database } from '../../server/storage/store.ts';

/** Reads all rows of the tables that contain company data, by table name. @param except tables to leave out */
export const dumpTables = async (
  db: Database,
  except: readonly string[] = [],
): Promise<Record<string, object[]>> =>
  Object.fromEntries(
    await Promise.all(
      ownedTables
        .filter((table) => !except.includes(table))
        .map(async (table) => [table, await db.selectFrom(table).selectAll().execute()] as const),
    ),
  );
