import ts from 'typescript';
import { createCompilerHost } from '../../lib/compiler-host.ts';

/**
 * Compiles files with the strict settings of this project. The generated types of forms use `File`, which `@types/node`
 * declares.
 * @param changed settings that differ
 * @returns the errors, with file and line
 */
export function compileErrors(files: readonly string[], changed: ts.CompilerOptions = {}): string[] {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files, include: [] }, ts.sys, process.cwd());
  const all = { ...options, types: ['node'], ...changed };
  const program = ts.createProgram(files, all, createCompilerHost(all));
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1} ` : '';
    return line + ts.flattenDiagnosticMessageText(messageText, ' ');
  });
}
