import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyPatch } from '../../lib/project-copy.ts';
import { applyHunks } from './apply-hunks.ts';

/** A patch that adds a resource by the recipes in CONTRIBUTING.md: teams, with a table, two operations and an event. */
const patchFile = join(import.meta.dirname, 'teams.patch');

const changelogEntry = `- Teams: \`GET /api/v1/teams\` lists teams, and \`POST /api/v1/teams\` creates one. They need the new scopes \`teams:read\`
  and \`teams:write\`.
- Webhooks can subscribe to \`team.created\`: \`entity_id\` 6, \`action_id\` 1.
`;

/**
 * Adds the teams resource to a copy of the project, as the recipes describe. Numbers its migration, and sets a new
 * version. The generated files are stale afterwards.
 * @throws Error if the patch does not apply, because the files have changed
 */
export async function applyRehearsal(folder: string): Promise<void> {
  await applyHunks(folder, await readFile(patchFile, 'utf8'));
  await addMigration(folder);
  await releaseNextVersion(folder);
}

/** Gives the migration in the patch the next free number, and adds it to the list of migrations. */
async function addMigration(folder: string): Promise<void> {
  const migrations = join(folder, 'server/storage/migrations');
  const numbers = (await readdir(migrations)).map((name) => Number.parseInt(name, 10));
  const next = Math.max(...numbers.filter((number) => number > 0)) + 1;
  const name = `${String(next).padStart(4, '0')}-expand-teams`;
  await rename(join(migrations, 'NNNN-expand-teams.ts'), join(migrations, `${name}.ts`));
  const file = 'server/storage/migrations/migrate.ts';
  const [anchor = ''] =
    /import \{ isCompatibleAfter \}.*/.exec(await readFile(join(folder, file), 'utf8')) ?? [];
  await applyPatch(folder, { file, from: anchor, to: `import { teams } from "./${name}.ts";\n${anchor}` });
  await applyPatch(folder, {
    file,
    from: '\n};\n\n/** The names of all migrations',
    to: `\n  '${name}': teams,\n};\n\n/** The names of all migrations`,
  });
}

/** Sets the next minor version in every place that names it, and adds an entry to the changelog. */
async function releaseNextVersion(folder: string): Promise<void> {
  const { version }: { version: string } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const next = `${major}.${minor + 1}.0`;
  const replace = async (file: string, from: string, to: string, count = Number.POSITIVE_INFINITY) => {
    const [first = '', ...rest] = (await readFile(join(folder, file), 'utf8')).split(from);
    const text = rest.reduce((all, part, at) => all + (at < count ? to : from) + part, first);
    await writeFile(join(folder, file), text);
  };
  await replace('openapi/openapi.yaml', `version: ${version}`, `version: ${next}`, 1);
  for (const [file, count] of [
    ['package.json', 1],
    ['client/package.json', 1],
    ['package-lock.json', 2],
  ] as const)
    await replace(file, `"version": "${version}"`, `"version": "${next}"`, count);
  await replace('server/deploy/kubernetes/kustomization.yaml', `newTag: ${version}`, `newTag: ${next}`);
  await replace(
    'openapi/guides/upgrade.md',
    '|---|---|---|\n',
    `|---|---|---|\n| ${next} | none | Nothing. |\n`,
    1,
  );
  await replace('openapi/CHANGELOG.md', '\n## ', `\n## 01/01/2030 · ${next}\n\n${changelogEntry}\n## `, 1);
}
