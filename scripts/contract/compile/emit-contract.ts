import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import standalone from 'ajv/dist/standalone/index.js';
import { rolldown } from 'rolldown';
import { runtimeModule } from '../../../server/lib/ajv-runtime.ts';
import { formats } from '../../../server/lib/formats.ts';
import { knownFormats } from '../../../server/lib/known-formats.ts';
import { siblingModule } from '../../lib/sibling-module.ts';
import type { ContractInMemory } from './compile-contract.ts';
import { formatsModule } from './schema-functions.ts';

/** The name of the module that exports the compiled contract, `contract`. */
export const contractModule = '#contract';

/**
 * Emits a compiled contract as the sources of modules, by name. `bundleModules` makes one module of them.
 * @param contract its schemas are compiled, which takes most of the time
 */
export function emitContract({
  functions,
  formats: _formats,
  deciderOf: _deciderOf,
  ...data
}: ContractInMemory): Record<string, string> {
  functions.compileAll();
  const names = Object.keys(data.schemas);
  const code = withImports(
    standalone.default(functions.compiler, Object.fromEntries(names.map((name) => [name, name]))),
  );
  const inUse = formatNamesIn(data.schemas).filter((name) => Object.hasOwn(knownFormats, name));
  const named = inUse.map((name, index) => `${JSON.stringify(name)}: format${index}`).join(', ');
  const ownOnly = inUse.every((name) => Object.hasOwn(formats, name));
  return {
    '#deciders': code,
    [formatsModule]: [
      ownOnly
        ? `import { formats } from '#own-formats';`
        : `import { knownFormats as formats } from '#known-formats';`,
      `const { ${named} } = formats;`,
      `export const usedFormats = { ${named} };`,
    ].join('\n'),
    [contractModule]: [
      `import * as deciders from '#deciders';`,
      `import { usedFormats as formats } from '${formatsModule}';`,
      `const data = JSON.parse(${JSON.stringify(JSON.stringify(data))});`,
      'export const contract = { ...data, formats, deciderOf: (name) => deciders[name] };',
    ].join('\n'),
  };
}

/** Replaces the calls of `require` in the code of functions by imports. */
function withImports(code: string): string {
  const modules: string[] = [];
  const replaced = code.replaceAll(/require\("([^"]+)"\)/g, (_call, name: string) => {
    if (!modules.includes(name)) modules.push(name);
    return `module${modules.indexOf(name)}`;
  });
  const imports = modules.map((name, index) =>
    name === formatsModule
      ? `import { usedFormats } from '${name}'; const module${index} = { formats: usedFormats };`
      : name.startsWith('ajv/')
        ? `import imported${index} from '${name}'; const module${index} = { default: imported${index}.default ?? imported${index} };`
        : `import * as module${index} from '${name}';`,
  );
  return `${imports.join('\n')}\n${replaced}`;
}

function formatNamesIn(schemas: unknown): string[] {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'format' && typeof value === 'string') names.add(value);
      visit(value);
    }
  };
  visit(schemas);
  return [...names].sort();
}

export interface BundleOptions {
  /** The name of the module whose exports the bundle has. */
  entry: string;
  /** Paths of further modules, by name. */
  files?: Readonly<Record<string, string>>;
  /** Sources that replace files, by absolute path. */
  replaced?: Readonly<Record<string, string>>;
  minify: boolean;
}

/**
 * Bundles modules into one without imports.
 * @param sources modules that exist only here, by name
 * @returns its source, and the modules that it still imports: only those that rules of the project import
 */
export async function bundleModules(
  sources: Readonly<Record<string, string>>,
  { entry, files = {}, replaced = {}, minify }: BundleOptions,
): Promise<{ code: string; imports: readonly string[] }> {
  const { resolve: resolvePackage } = createRequire(import.meta.url);
  const sibling = (name: string) => fileURLToPath(siblingModule(name, import.meta.url));
  const known: Readonly<Record<string, string>> = {
    [runtimeModule]: sibling('../../../server/lib/ajv-runtime'),
    '#own-formats': sibling('../../../server/lib/formats'),
    '#known-formats': sibling('../../../server/lib/known-formats'),
    ...files,
  };
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'contract',
        resolveId: (id, importer) => {
          const path = importer === undefined ? id : resolve(dirname(importer), id);
          if (Object.hasOwn(replaced, path)) return path;
          if (Object.hasOwn(sources, id)) return `\0${id}`;
          return known[id] ?? (/^ajv(-formats)?\//.test(id) ? resolvePackage(id) : null);
        },
        load: (id) => replaced[id] ?? sources[id.slice(1)] ?? null,
      },
    ],
  });
  const { output } = await bundle.generate({
    format: 'es',
    minify: minify || { compress: true, mangle: false, codegen: { removeWhitespace: false } },
  });
  await bundle.close();
  const [{ code, imports }] = output;
  return { code, imports };
}
