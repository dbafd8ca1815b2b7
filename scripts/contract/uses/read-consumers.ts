import { glob, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { collectUses } from './collect-uses.ts';
import { compileConsumer, type TypesOfVersions } from './compile-consumer.ts';
import type { Place, UsesManifest } from './manifest.ts';
import { readProject } from './read-project.ts';

/** A consumer whose uses are known. */
export interface KnownConsumer {
  manifest: UsesManifest;
  /** The manifest, or the project that was read; relative to the working directory. */
  file: string;
  /** If the sources are at hand, the lines that compile with the base of a change, and not with the revision. */
  compileErrors: readonly Place[];
}

/**
 * Reads the consumers of a contract, and compiles those whose sources are at hand.
 * @param patterns manifests (`consumers/*.json`), and projects whose sources are at hand (`../shop/tsconfig.json`)
 * @param typesOf returns the types of both versions of the contract
 * @throws Error naming the file that is no manifest or cannot be read, or the pattern that matches no file
 */
export async function readConsumers(
  patterns: readonly string[],
  typesOf: () => Promise<TypesOfVersions>,
): Promise<KnownConsumer[]> {
  const consumers: KnownConsumer[] = [];
  for (const pattern of patterns) {
    const files = (await Array.fromAsync(glob(pattern))).sort();
    if (files.length === 0) throw new Error(`No consumer matches ${pattern}.`);
    for (const path of files) {
      const file = relative('.', path);
      if (/^tsconfig.*\.json$/.test(basename(path))) {
        const program = readProject(path);
        const { manifest } = collectUses(program, await packageNameOf(path));
        consumers.push({ manifest, file, compileErrors: compileConsumer(program, await typesOf()) });
      } else {
        const manifest = parseManifest(file, await readFile(path, 'utf8'));
        consumers.push({ manifest, file, compileErrors: [] });
      }
    }
  }
  return consumers;
}

/**
 * Returns the name of the package that a project belongs to, or the name of its folder.
 * @param project path of the `tsconfig.json`
 */
export async function packageNameOf(project: string): Promise<string> {
  const folder = dirname(resolve(project));
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
  const { name }: { name?: unknown } = JSON.parse(text);
  return typeof name === 'string' ? name : basename(folder);
}

const lists = [
  'operations',
  'reads',
  'sends',
  'parameters',
  'headers',
  'codes',
  'events',
  'validatesEvents',
  'escapes',
] as const;

/**
 * Parses a manifest.
 * @throws Error naming the file, if this version of the toolchain has not written it
 */
export function parseManifest(file: string, text: string): UsesManifest {
  const wrong = (why: string) =>
    new Error(
      `${file} is no manifest of this toolchain: ${why}. Write it again: parley-contract uses --out FILE`,
    );
  let manifest: UsesManifest;
  try {
    manifest = JSON.parse(text);
  } catch {
    throw wrong('it is not JSON');
  }
  if (manifest?.manifest !== 1) throw wrong('"manifest" must be 1');
  const missing = lists.filter((name) => !Array.isArray(manifest[name]));
  if (missing.length > 0) throw wrong(`${missing.join(', ')} must be a list`);
  if (!manifest.contract?.composed || !manifest.contract.bodies || !manifest.contract.elsewhere)
    throw wrong('"contract" is missing');
  return manifest;
}
