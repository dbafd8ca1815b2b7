import { resolve } from 'node:path';
import ts from 'typescript';
import { findContractTypes } from './contract-types.ts';

/** A consumer's program, with the types that openapi-typescript has generated. */
export interface ConsumerProgram {
  program: ts.Program;
  contract: ts.SourceFile;
  /** Path of the consumer's `tsconfig.json`. */
  project: string;
}

/**
 * Reads a TypeScript project.
 * @param project path of its `tsconfig.json`
 * @param types path of the generated types, if the project imports those of several contracts, or of none
 * @throws Error if the project cannot be read, or does not contain types generated from exactly one contract
 */
export function readProject(project: string, types?: string): ConsumerProgram {
  const { fileNames, options } = readSettings(project);
  // A project without a typed client does not import the types.
  const program = ts.createProgram(
    [...fileNames, ...(types === undefined ? [] : [resolve(types)])],
    options,
    createCompilerHost(options),
  );
  return { program, contract: chooseTypes(program, types), project };
}

/**
 * Reads the settings of a TypeScript project.
 * @throws Error naming the file and what is wrong with it
 */
function readSettings(file: string): ts.ParsedCommandLine {
  const fail = (diagnostic: ts.Diagnostic): never => {
    throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`);
  };
  const read = ts.getParsedCommandLineOfConfigFile(
    resolve(file),
    {},
    // TypeScript remembers the working directory of its first call.
    { ...ts.sys, getCurrentDirectory: () => process.cwd(), onUnRecoverableConfigFileDiagnostic: fail },
  );
  if (!read) throw new Error(`${file} cannot be read.`);
  read.errors.forEach(fail);
  return read;
}

function chooseTypes(program: ts.Program, types: string | undefined): ts.SourceFile {
  const found = findContractTypes(program);
  const chosen = types === undefined ? found : found.filter(({ fileName }) => fileName === resolve(types));
  const [one, ...others] = chosen;
  if (!one)
    throw new Error(
      types === undefined
        ? 'The project does not import types that openapi-typescript has generated: an interface paths and an interface components.'
        : `The project does not import ${types}, or openapi-typescript has not generated it.`,
    );
  if (others.length > 0)
    throw new Error(
      `The project imports the types of several contracts. Choose one with --types:\n${chosen.map(({ fileName }) => `  ${fileName}`).join('\n')}`,
    );
  return one;
}

/** Parsed declaration files of packages, by name and by the options that parsing depends on. */
const declarations = new Map<string, ts.SourceFile>();

/**
 * Creates the host of a TypeScript program. Programs of one process share the declaration files of packages, of which
 * parsing and binding takes most of the time of a small program.
 */
export function createCompilerHost(options: ts.CompilerOptions): ts.CompilerHost {
  // TypeScript itself remembers the working directory of its first call.
  const host = { ...ts.createCompilerHost(options), getCurrentDirectory: () => process.cwd() };
  const { getSourceFile } = host;
  const { module, moduleDetection, jsx } = options;
  host.getSourceFile = (name, version, ...more) => {
    if (!/[\\/]node_modules[\\/].*\.d\.[cm]?ts$/.test(name)) return getSourceFile(name, version, ...more);
    const key = JSON.stringify([name, version, module, moduleDetection, jsx]);
    const file = declarations.get(key) ?? getSourceFile(name, version, ...more);
    if (file) declarations.set(key, file);
    return file;
  };
  return host;
}
