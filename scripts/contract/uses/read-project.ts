import { resolve } from 'node:path';
import ts from 'typescript';

/**
 * Reads the settings of a TypeScript project.
 * @param file path of its `tsconfig.json`
 * @throws Error naming the file and what is wrong with it
 */
export function readProject(file: string): ts.ParsedCommandLine {
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
