import { resolve } from 'node:path';
import ts from 'typescript';
import { collectUses } from '../contract/uses/collect-uses.ts';
import { formatManifest } from '../contract/uses/manifest.ts';
import { createCompilerHost } from '../lib/compiler-host.ts';
import { sampledGuides } from './guide-samples.ts';
import { inboxFiles, sampleFiles } from './sample-files.ts';

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext'].map((name) => `lib.${name}.d.ts`),
  module: ts.ModuleKind.NodeNext,
  strict: true,
  noEmit: true,
  jsx: ts.JsxEmit.Preserve,
  types: ['node'],
  skipLibCheck: true,
  allowImportingTsExtensions: true,
};

/** The modules of the client: its sources, because `npm run generate` does not build it. */
const clientModules: Readonly<Record<string, string>> = {
  'parley-client': 'client/index.ts',
  'parley-client/webhooks': 'client/webhooks.ts',
  'parley-client/mock': 'generated/mock.d.ts',
};

/** Returns the manifest of what the samples of the guides use of the contract, for the contract check. */
export function guideManifest(): string {
  const samples = { ...sampleFiles(sampledGuides()), ...inboxFiles() };
  const files = new Map(
    Object.entries(samples).map(([name, text]) => [resolve('openapi/guides', name), text]),
  );
  const program = ts.createProgram([...files.keys()], options, createHost(files));
  const contract = program.getSourceFile(resolve('generated/types.ts'));
  if (!contract) throw new Error('No sample of openapi/guides imports parley-client. Add one that does.');
  const { manifest } = collectUses(
    { program, contract, project: 'tsconfig.json' },
    // The time is fixed, so that equal guides have equal manifests.
    { consumer: "Parley's guides", now: '2026-11-25T00:00:00.000Z' },
  );
  return formatManifest(manifest).replaceAll(/(openapi\/guides\/[\w-]+\.md)\.\d+\.ts:/g, '$1:');
}

/** Returns a host that reads some files from memory, and the client as if it were installed. */
function createHost(files: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = createCompilerHost(options);
  return {
    ...host,
    fileExists: (name) => files.has(name) || host.fileExists(name),
    getSourceFile(name, version, ...more) {
      const text = files.get(name);
      return text === undefined
        ? host.getSourceFile(name, version, ...more)
        : ts.createSourceFile(name, text, version);
    },
    resolveModuleNameLiterals: (literals, file, _redirected, settings, source) =>
      literals.map((literal) => {
        const module = clientModules[literal.text];
        if (module !== undefined)
          return {
            resolvedModule: {
              resolvedFileName: resolve(module),
              extension: module.endsWith('.d.ts') ? ts.Extension.Dts : ts.Extension.Ts,
              isExternalLibraryImport: true,
            },
          };
        const mode = ts.getModeForUsageLocation(source, literal, settings);
        return ts.resolveModuleName(literal.text, file, settings, host, undefined, undefined, mode);
      }),
  };
}
