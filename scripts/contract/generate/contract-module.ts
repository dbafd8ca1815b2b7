import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { bundleModules } from '../compile/bundle-modules.ts';
import { compileContract } from '../compile/compile-contract.ts';
import { contractModule, emitContract } from '../compile/emit-contract.ts';

/**
 * Generates the compiled contract: a module without imports, which servers, workers and pages can load, and its types.
 * @param document a bundled OpenAPI 3.1 document
 * @param commonJs whether to generate `contract.cjs` too, for `require`
 * @returns the sources, by file name
 * @throws Error if a part of the document cannot be compiled
 */
export async function generateContractModule(
  document: OpenApiDocument,
  { commonJs = false }: { commonJs?: boolean } = {},
): Promise<Record<string, string>> {
  const { code } = await bundleModules(emitContract(compileContract(document)), {
    entry: contractModule,
    minify: false,
  });
  const modules = { 'contract.js': code, 'contract.d.ts': types };
  if (!commonJs) return modules;
  return { ...modules, 'contract.cjs': asCommonJs(code), 'contract.d.cts': types };
}

const exported = /^export \{ contract \};$/m;

/** Returns a module without imports, whose one export is `contract`, as CommonJS. */
function asCommonJs(code: string): string {
  if (!exported.test(code)) throw new Error('The compiled contract has no export "contract".');
  return `'use strict';\n${code.replace(exported, 'exports.contract = contract;')}`;
}

const types = [
  '/** The compiled contract. Its parts belong to the version of the toolchain that has generated it. */',
  'export declare const contract: {',
  '  readonly format: number;',
  '  /** SHA-256 of the document. */',
  '  readonly hash: string;',
  '  readonly operations: readonly { readonly id: string }[];',
  '};',
  '',
].join('\n');
