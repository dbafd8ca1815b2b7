import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { runtimeModule } from '../../../../server/lib/ajv-runtime.ts';
import { formats } from '../../../../server/lib/formats.ts';
import { knownFormats } from '../../../../server/pipeline/eov/known-formats.ts';
import { schemasOfContract } from '../../../../server/pipeline/eov/validator.ts';
import type { ContractDocument } from '../../../../server/pipeline/operation.ts';
import { siblingModule } from '../../../lib/sibling-module.ts';
import { type ContractConfig, isOwnContract } from '../../config.ts';
import { namesIn, readPromises } from '../../load/read-promises.ts';
import { contractDataOf, type DataOptions } from './contract-data.ts';
import { createSchemaCompiler, formatsModule } from './schema-compiler.ts';
import { typesOfPageMock } from './types.ts';

export interface PageMockOptions extends Pick<DataOptions, 'tokens' | 'promises'> {
  /** Path of the module that exports `pageRules`, if the contract has one. */
  pageRules: string | undefined;
  /** Sources that replace generated files that the rules import, by absolute path: those on the disk may be stale. */
  generated?: Readonly<Record<string, string>>;
}

/**
 * Returns the options for a contract. Settings such as rules apply only to the project's own.
 * @param promises path of its promises (default: `promises.yaml` in its folder)
 * @throws Error if the promises cannot be read
 */
export async function pageMockOptions(
  config: ContractConfig,
  api: string,
  promises?: string,
): Promise<PageMockOptions> {
  const names = namesIn(await readPromises(api, promises));
  return isOwnContract(config, api)
    ? { tokens: config.mockTokens ?? 'any', pageRules: config.pageRules, promises: names }
    : { tokens: 'any', pageRules: undefined, promises: names };
}

/**
 * Generates the mock that runs inside pages and tests: a module without imports, and its types.
 * @param document a bundled OpenAPI 3.1 document
 * @returns the sources, by file name
 * @throws Error if a schema cannot be compiled, or the rules import a module that does not run in browsers
 */
export async function generatePageMock(
  document: ContractDocument,
  { tokens, pageRules, promises, generated = {} }: PageMockOptions,
): Promise<Record<'mock.js' | 'mock.d.ts', string>> {
  const { operations, documents } = await schemasOfContract(document);
  const compiler = createSchemaCompiler(documents, knownFormats);
  const data = await contractDataOf(document, operations, compiler, {
    ...{ tokens, promises },
    hasDocumentedErrors: pageRules === undefined,
  });
  const { modules, list, formatNames } = compiler.sources();
  const formatTable = formatNames.every((name) => Object.hasOwn(formats, name))
    ? `export { formats } from '#own-formats';`
    : `export { knownFormats as formats } from '#all-formats';`;
  const isComposed = data.operations.some(({ composed }) => composed !== undefined);
  const entry = [
    `import { createMock as createWith } from '#create-mock';`,
    `import { validators } from '#validators';`,
    pageRules === undefined ? 'const pageRules = {};' : `import { pageRules } from '#page-rules';`,
    `const data = JSON.parse(${JSON.stringify(JSON.stringify(data))});`,
    isComposed ? `import { parseParameters } from '#parameter-parser';` : '',
    `const contract = { ...data, validators, rules: pageRules${isComposed ? ', parseParameters' : ''} };`,
    'export const createMock = (options) => createWith(contract, options);',
    `import { describeScenarios } from '#scenarios';`,
    'export const scenarios = describeScenarios(contract);',
    `export { mockToken, mockTokenWith } from '#tokens';`,
  ].join('\n');
  const sibling = (name: string) => fileURLToPath(siblingModule(name, import.meta.url));
  const files: Record<string, string> = {
    '#create-mock': sibling('../../page-mock/create-mock'),
    '#scenarios': sibling('../../page-mock/scenarios/catalog'),
    '#tokens': sibling('../../mock/authenticate'),
    '#parameter-parser': sibling('../../../../server/pipeline/eov/parameter-parser'),
    [runtimeModule]: sibling('../../../../server/lib/ajv-runtime'),
    '#own-formats': sibling('../../../../server/lib/formats'),
    '#all-formats': sibling('../../../../server/pipeline/eov/known-formats'),
    ...(pageRules === undefined ? {} : { '#page-rules': resolve(pageRules) }),
  };
  return {
    'mock.js': await bundled(
      { ...modules, '#validators': list, [formatsModule]: formatTable, entry },
      files,
      generated,
    ),
    'mock.d.ts': await typesOfPageMock(),
  };
}

/** The part of Node's `url` that express-openapi-validator's parser of parameters uses. */
const urlModule = `export const parse = (text) => ({ query: text.split('#')[0].split('?').slice(1).join('?') || null });`;

/**
 * @param sources modules that exist only here, by name
 * @param files paths of other modules, by name
 * @param generated sources that replace files, by path
 */
async function bundled(
  sources: Record<string, string>,
  files: Record<string, string>,
  generated: Readonly<Record<string, string>>,
): Promise<string> {
  const { resolve: resolvePackage } = createRequire(import.meta.url);
  const bundle = await rolldown({
    input: 'entry',
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'page-mock',
        resolveId: (id, importer) => {
          const path = importer === undefined ? id : resolve(dirname(importer), id);
          if (Object.hasOwn(generated, path)) return path;
          if (Object.hasOwn(sources, id)) return `\0${id}`;
          if (id === 'url') return '\0url';
          return files[id] ?? (id.startsWith('ajv/') ? resolvePackage(id) : null);
        },
        load: (id) => (id === '\0url' ? urlModule : (generated[id] ?? sources[id.slice(1)] ?? null)),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'es', minify: true });
  await bundle.close();
  const [{ code, imports }] = output;
  if (imports.length > 0)
    throw new Error(
      `The mock inside pages must run in browsers, but its rules import ${imports.join(', ')}.`,
    );
  return code;
}
