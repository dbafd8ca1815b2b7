import { basename, dirname, relative, resolve } from 'node:path';
import ts from 'typescript';
import { isWithin } from '../load/document-files.ts';

/**
 * Finds out whether TypeScript refuses imports of the generated files, because they are outside of the `rootDir` of the
 * nearest `tsconfig.json` (TS6059).
 * @param out the output folder, relative to the working directory
 * @param commandFor returns the command that generates the files into another folder
 * @returns what to do; undefined if nothing is wrong
 */
export function rootFolderNote(out: string, commandFor: (folder: string) => string): string | undefined {
  const file = ts.findConfigFile(resolve(out), ts.sys.fileExists);
  if (file === undefined) return undefined;
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  // The names of the sources do not matter, and finding them takes long.
  const host = { ...ts.sys, readDirectory: () => [] };
  const { rootDir } = ts.parseJsonConfigFileContent(config, host, dirname(file)).options;
  if (rootDir === undefined || isWithin(rootDir, resolve(out))) return undefined;
  const [project, root] = [file, rootDir].map((path) => relative('.', path).replaceAll('\\', '/'));
  const below = `${root}/${basename(resolve(out))}`;
  return `${out}/ is outside of rootDir, ${root}/, in ${project}, so TypeScript cannot import its files (TS6059).\n  Run: ${commandFor(below)}\n  Or set out: '${below}' in the settings. Then delete what was generated in ${out}/.`;
}
