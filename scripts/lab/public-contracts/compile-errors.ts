import ts from 'typescript';

const strict: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitReturns: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  types: [],
};

/** Compiles files under strict settings. @returns the errors, with file and line */
export function compileErrors(files: readonly string[]): string[] {
  const program = ts.createProgram(files, strict);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1} ` : '';
    return line + ts.flattenDiagnosticMessageText(messageText, ' ');
  });
}
