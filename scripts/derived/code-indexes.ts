import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

interface Found {
  /** The path from the project's folder. */
  file: string;
  /** The name of the export. */
  name: string;
}

/** Returns the exports that a pattern finds in files, sorted by file. Its first group is the name of the export. */
const exportsIn = (folder: string, files: string, pattern: RegExp): Found[] =>
  globSync(files, { cwd: folder })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .flatMap((file) =>
      Array.from(readFileSync(join(folder, file), 'utf8').matchAll(pattern), ([, name = '']) => ({
        file,
        name,
      })),
    );

const importOf = (names: string, file: string): string => `import ${names} from ${JSON.stringify(file)};\n`;

const imports = (found: readonly Found[]): string =>
  [...Map.groupBy(found, ({ file }) => file)]
    .map(([file, own]) => importOf(`{ ${own.map(({ name }) => name).join(', ')} }`, `../${file}`))
    .join('');

const nameOf = ({ file }: Found): string => basename(file, '.ts');

/** Returns a module with all tables by name, which is that of their file. @param folder the project's folder */
export function tableIndex(folder = '.'): string {
  const found = exportsIn(folder, 'server/storage/tables/*.ts', /^export const (\w+) = defineTable</gm);
  const entries = found.map((each) => `  ${nameOf(each).replaceAll('-', '_')}: ${each.name},\n`);
  return `${imports(found)}
/** All tables by name. */
export const tables = {\n${entries.join('')}};\n`;
}

/** Returns a module with all migrations by name, which is that of their file. @param folder the project's folder */
export function migrationIndex(folder = '.'): string {
  const found = exportsIn(
    folder,
    'server/storage/migrations/[0-9]*.ts',
    /^export const (\w+): SchemaMigration\b/gm,
  );
  const entries = found.map((each) => `  '${nameOf(each)}': ${each.name},\n`);
  return `${imports(found)}${importOf('type { SchemaMigration }', '../server/storage/engine.ts')}
/** All migrations by name, in order. */
export const migrations: Record<string, SchemaMigration> = {\n${entries.join('')}};\n`;
}

/** Returns a module with the handlers of all operations. @param folder the project's folder */
export function handlerIndex(folder = '.'): string {
  const found = exportsIn(folder, 'server/features/*/*.ts', /^export const (\w+): ApiHandler</gm);
  const entries = found.map(({ name }) => `  ${name},\n`);
  return `${imports(found)}${importOf('type { ApiHandler }', '../server/features/api-handler.ts')}${importOf('type { OperationId }', './operations.ts')}
/** The handler of each operation of the contract. A missing handler is a compile-time error. */
export const handlers: { [Id in OperationId]: ApiHandler<Id> } = {\n${entries.join('')}};\n`;
}

/** Returns a module with the commands for operators. @param folder the project's folder */
export function commandIndex(folder = '.'): string {
  const found = exportsIn(
    folder,
    'server/operator/*.ts',
    /^export const (\w+)(?:: [^=]+)? = command(?:At)?\b/gm,
  );
  const entries = found.map(({ name }) => `  ${name},\n`);
  return `${imports(found)}
/** Functions that create the commands for operators. */
export const commands = [\n${entries.join('')}];\n`;
}
