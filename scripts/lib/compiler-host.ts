import ts from 'typescript';

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
