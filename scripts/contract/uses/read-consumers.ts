import { glob, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { collectUses } from './collect-uses.ts';
import { createPlaces, type Place, type UsesManifest } from './manifest.ts';
import { type ConsumerProgram, createCompilerHost, readProject } from './read-project.ts';

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

/** The types of two versions of a contract, as source texts. */
interface TypesOfVersions {
  base: string;
  revision: string;
}

/**
 * Compiles a consumer with the types of both versions of a contract.
 * @returns the places, relative to the folder of the project, that compile with the base and not with the revision
 */
function compileConsumer(consumer: ConsumerProgram, { base, revision }: TypesOfVersions): Place[] {
  const errors = errorsWith(revision, consumer);
  // The consumer's own types may be older than the base, or written with other options.
  const known = new Set(errors.size === 0 ? [] : errorsWith(base, consumer).keys());
  return [...new Set([...errors].flatMap(([error, place]) => (known.has(error) ? [] : [place])))];
}

/** Returns a consumer's program with other types of the contract; its own program if it has these types. */
function programWith(types: string, { program: own, contract }: ConsumerProgram): ts.Program {
  if (types === contract.text) return own;
  const options = own.getCompilerOptions();
  const host = createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...more) =>
    resolve(name) === resolve(contract.fileName)
      ? ts.createSourceFile(name, types, options.target ?? ts.ScriptTarget.ES2022, true)
      : (own.getSourceFile(name) ?? getSourceFile(name, ...more));
  return ts.createProgram(own.getRootFileNames(), options, host, own);
}

/** Returns the errors in a consumer's own files, with their places. */
function errorsWith(types: string, consumer: ConsumerProgram): Map<string, Place> {
  const program = programWith(types, consumer);
  const placeOf = createPlaces(dirname(resolve(consumer.project)));
  const files = program
    .getSourceFiles()
    .filter(
      (file) => file.fileName !== consumer.contract.fileName && !file.fileName.includes('/node_modules/'),
    );
  const errors = new Map<string, Place>();
  for (const file of files)
    for (const { code, start = 0 } of program.getSemanticDiagnostics(file)) {
      const place = placeOf(file, start);
      errors.set(`${place} ${code}`, place);
    }
  return errors;
}
