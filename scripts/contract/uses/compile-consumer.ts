import { dirname, resolve } from 'node:path';
import ts from 'typescript';
import { createCompilerHost } from '../../lib/compiler-host.ts';
import { createPlaces, type Place } from './manifest.ts';
import type { ConsumerProgram } from './read-project.ts';

/** The types of two versions of a contract, as source texts. */
export interface TypesOfVersions {
  base: string;
  revision: string;
}

/**
 * Compiles a consumer with the types of both versions of a contract.
 * @returns the places, relative to the folder of the project, that compile with the base and not with the revision
 */
export function compileConsumer(consumer: ConsumerProgram, { base, revision }: TypesOfVersions): Place[] {
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
