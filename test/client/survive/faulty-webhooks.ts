import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/**
 * Loads a copy of `client/webhooks.ts` in which one text is replaced.
 * @throws Error if the text does not occur in the file
 */
export async function faultyWebhooks({
  from,
  to,
}: {
  from: string | RegExp;
  to: string;
}): Promise<typeof import('../../../client/webhooks.ts')> {
  const folder = join(await temporaryFolder(), 'client');
  await mkdir(folder);
  for (const name of (await readdir('client')).filter((each) => each.endsWith('.ts'))) {
    const source = await readFile(join('client', name), 'utf8');
    const changed = name === 'webhooks.ts' ? source.replace(from, to) : source;
    if (name === 'webhooks.ts' && changed === source) throw new Error(`${name} does not contain ${from}.`);
    const code = stripTypeScriptTypes(changed)
      .replaceAll(
        /'(\.\.\/generated\/[^']*)'/g,
        (_all, path: string) => `'${pathToFileURL(join('client', path)).href}'`,
      )
      .replaceAll(/'(\.\/[^']*)\.ts'/g, "'$1.mjs'")
      .replaceAll("'openapi-fetch'", `'${import.meta.resolve('openapi-fetch')}'`);
    await writeFile(join(folder, name.replace(/\.ts$/, '.mjs')), code);
  }
  return import(/* @vite-ignore */ pathToFileURL(join(folder, 'webhooks.mjs')).href);
}
