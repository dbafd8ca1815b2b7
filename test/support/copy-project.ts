import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { migrationIndex } from '../../scripts/derived/code-indexes.ts';
import { allMigrations } from '../../server/storage/migrations/migrate.ts';

// Copies share the installed packages and omit these folders.
const leftOut = ['node_modules', '.git', 'data', 'coverage'];

/**
 * Copies the project and links its installed packages.
 * @param only names of the top-level files and folders to copy (default: all)
 */
export async function copyProject(to: string, only: readonly string[] = []): Promise<void> {
  await mkdir(to, { recursive: true });
  const root = resolve('.');
  await cp(root, to, {
    recursive: true,
    filter: (source) => {
      const [top = ''] = source.slice(root.length + 1).split(/[\\/]/);
      return !leftOut.includes(top) && (top === '' || only.length === 0 || only.includes(top));
    },
  });
  // `.cache` is not linked, because tests in a copy write their coverage there.
  await mkdir(join(to, 'node_modules'));
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '.cache') await symlink(join(root, 'node_modules', name), join(to, 'node_modules', name));
}

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
