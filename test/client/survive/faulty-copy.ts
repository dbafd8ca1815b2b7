import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type OnCleanup, temporaryFolder } from '../../support/temporary-folder.ts';

/** A text in a file of the client, and what replaces it. */
export interface Fault {
  file: string;
  from: string | RegExp;
  to: string;
}

/**
 * Loads a module of a copy of the client in which one text is replaced.
 * @param module `index` or `webhooks`
 * @param onCleanup the `onTestFinished` of a concurrent test
 * @throws Error if the text does not occur in the file
 */
export async function faultyCopy<Module>(
  module: string,
  fault: Fault | undefined,
  onCleanup?: OnCleanup,
): Promise<Module> {
  const folder = join(await temporaryFolder(onCleanup), 'client');
  await mkdir(folder);
  const names = (await readdir('client')).filter((name) => name.endsWith('.ts'));
  if (fault && !names.includes(fault.file)) throw new Error(`The client has no file ${fault.file}.`);
  for (const name of names) {
    const source = await readFile(join('client', name), 'utf8');
    const changed = fault?.file === name ? source.replace(fault.from, fault.to) : source;
    if (fault?.file === name && changed === source)
      throw new Error(`${name} does not contain ${fault.from}.`);
    const code = stripTypeScriptTypes(changed)
      .replaceAll(
        /'(\.\.\/generated\/[^']*)'/g,
        (_all, path: string) => `'${pathToFileURL(join('client', path)).href}'`,
      )
      .replaceAll(/'(\.\/[^']*)\.ts'/g, "'$1.mjs'")
      .replaceAll("'openapi-fetch'", `'${import.meta.resolve('openapi-fetch')}'`);
    await writeFile(join(folder, name.replace(/\.ts$/, '.mjs')), code);
  }
  return import(/* @vite-ignore */ pathToFileURL(join(folder, `${module}.mjs`)).href);
}
