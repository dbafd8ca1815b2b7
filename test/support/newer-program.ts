import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrationIndex } from '../../scripts/derived/code-indexes.ts';
import { allMigrations } from '../../server/storage/migrations/migrate.ts';
import { copyProject } from './copy-project.ts';

/**
 * Copies the service, and adds migrations that this version does not know.
 * @param folder where the copy is written; it does not exist
 * @param steps name → body of a migration, which can use `db` (Kysely) and `integer` (the type of the engine)
 * @returns the folder
 */
export async function copyWithMigrations(folder: string, steps: Record<string, string>): Promise<string> {
  await copyProject(folder, ['server', 'client', 'generated', 'package.json']);
  for (const [name, body] of Object.entries(steps))
    await writeFile(
      join(folder, `server/storage/migrations/${name}.ts`),
      `import { sql } from 'kysely';\nexport const step${name.slice(0, 4)}: SchemaMigration = async (db, { integer }) => {\n${body}\n};\n`,
    );
  await writeFile(join(folder, 'generated/migrations.ts'), migrationIndex(folder));
  return folder;
}

/** Returns a number for a migration after the known ones. @param count 1 for the next migration */
export const nextMigration = (count: number): string =>
  String(Number(allMigrations.at(-1)?.slice(0, 4)) + count).padStart(4, '0');
