import { dirname, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { createCompilerHost } from '../../lib/compiler-host.ts';
import { findContractTypes } from './contract-types.ts';
import type { Place } from './manifest.ts';
import { readProject } from './read-project.ts';

/**
 * Compiles a consumer against the types of a new contract.
 * @param project path of the consumer's `tsconfig.json`
 * @param types the types of the new contract, as a source text
 * @returns the places, relative to the folder of the project, that compile now and would not then
 */
export function compileConsumer(project: string, types: string): Place[] {
  const { fileNames, options } = readProject(project);
  const before = ts.createProgram(fileNames, options, createCompilerHost(options));
  const [contract, ...others] = findContractTypes(before);
  if (!contract || others.length > 0) return [];
  const host = createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...more) =>
    resolve(name) === resolve(contract.fileName)
      ? ts.createSourceFile(name, types, options.target ?? ts.ScriptTarget.ES2022, true)
      : (before.getSourceFile(name) ?? getSourceFile(name, ...more));
  const after = ts.createProgram(fileNames, options, host);
  const known = new Set(errorsOf(before, project));
  return errorsOf(after, project).filter((place) => !known.has(place));
}

function errorsOf(program: ts.Program, project: string): Place[] {
  const folder = dirname(resolve(project));
  const places = program.getSemanticDiagnostics().flatMap(({ file, start }) => {
    if (!file || start === undefined || file.fileName.includes('/node_modules/')) return [];
    const { line } = file.getLineAndCharacterOfPosition(start);
    return [`${relative(folder, file.fileName).split(sep).join('/')}:${line + 1}`];
  });
  return [...new Set(places)];
}
