import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allMigrations } from '../../server/storage/migrations/migrate.ts';
import { applyPatch, copyProject } from '../lib/project-copy.ts';

const list = 'server/storage/migrations/migrate.ts';

/**
 * Copies the service, and adds migrations that this version does not know.
 * @param folder where the copy is written; it does not exist
 * @param steps name → body of a migration, which can use `db` (Kysely) and `integer` (the type of the engine)
 * @returns the folder
 */
export async function copyWithMigrations(folder: string, steps: Record<string, string>): Promise<string> {
  await copyProject(folder, ['server', 'client', 'generated', 'package.json']);
  const names = Object.keys(steps);
  for (const name of names)
    await writeFile(
      join(folder, `server/storage/migrations/${name}.ts`),
      `import { sql } from 'kysely';\nexport const step = async (db, { integer }) => {\n${steps[name]}\n};\n`,
    );
  const last = `  '${allMigrations.at(-1)}': `;
  const imports = 'import { migrationToSql }';
  await applyPatch(folder, {
    file: list,
    from: last,
    to: `  ${names.map((name, at) => `'${name}': step${at},`).join('\n')}\n${last}`,
  });
  await applyPatch(folder, {
    file: list,
    from: imports,
    to: [
      ...names.map((name, at) => `import { step as step${at} } from ${JSON.stringify(`./${name}.ts`)};`),
      imports,
    ].join('\n'),
  });
  await applyPatch(folder, { file: list, from: 'Object.keys(steps)', to: 'Object.keys(steps).sort()' });
  return folder;
}

/** Returns a number for a migration after the known ones. @param count 1 for the next migration */
export const nextMigration = (count: number): string =>
  String(Number(allMigrations.at(-1)?.slice(0, 4)) + count).padStart(4, '0');
