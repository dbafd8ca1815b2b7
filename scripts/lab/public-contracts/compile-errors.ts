import ts from 'typescript';

/**
 * Compiles files with the strict settings of this project. The generated types of forms use `File`, which `@types/node`
 * declares.
 * @param changed settings that differ
 * @returns the errors, with file and line
 */
export function compileErrors(files: readonly string[], changed: ts.CompilerOptions = {}): string[] {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files, include: [] }, ts.sys, '.');
  const program = ts.createProgram(files, { ...options, types: ['node'], ...changed });
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1} ` : '';
    return line + ts.flattenDiagnosticMessageText(messageText, ' ');
  });
}
