import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oncePer } from '../../../lib/once.ts';
import type { OpenApiDocument } from '../../../lib/openapi-document.ts';
import { siblingModule } from '../../../lib/sibling-module.ts';
import type { JsonSchema } from '../../../testing/schema-values/schema.ts';
import { bundleModules } from '../../compile/bundle-modules.ts';
import { type ContractInMemory, compileContract } from '../../compile/compile-contract.ts';
import { contractModule, emitContract } from '../../compile/emit-contract.ts';
import { type ContractConfig, isOwnContract } from '../../config.ts';
import { namesIn, readPromises } from '../../load/read-promises.ts';
import { scopesIn } from '../../mock/authenticate.ts';
import type { MarkedLocations, MockContract, MockData } from '../../mock/mock-contract.ts';
import type { PromiseName } from '../../mock/mock-types.ts';
import { readExamples } from '../../mock-server/read-examples.ts';
import { type Contract, createContract } from '../../model/contract.ts';
import { hasOpenMarks, markedLocationsOf } from './marked-locations.ts';

export interface PageMockOptions extends Pick<DataOptions, 'tokens' | 'promises'> {
  /** Path of the module that exports `pageRules`, if the contract has one. */
  pageRules: string | undefined;
  /** Sources that replace generated files that the rules import, by absolute path: those on the disk may be stale. */
  generated?: Readonly<Record<string, string>>;
}

/**
 * Returns the options for a contract. Settings such as rules apply only to the project's own.
 * @throws Error if the promises cannot be read
 */
export async function pageMockOptions(config: ContractConfig, api: string): Promise<PageMockOptions> {
  const promises = namesIn(await readPromises(api));
  return isOwnContract(config, api)
    ? { tokens: config.mockTokens ?? 'any', pageRules: config.pageRules, promises }
    : { tokens: 'any', pageRules: undefined, promises };
}

/**
 * Generates the mock that runs inside pages and tests: a module without imports, and its types.
 * @param document a bundled OpenAPI 3.1 document
 * @returns the sources, by file name
 * @throws Error if a schema cannot be compiled, or the rules import a module that does not run in browsers
 */
export async function generatePageMock(
  document: OpenApiDocument,
  { tokens, pageRules, promises, generated = {} }: PageMockOptions,
): Promise<Record<'mock.js' | 'mock.d.ts', string>> {
  const compiled = compileContract(document);
  const contract = forRequests(pageRules === undefined ? compiled : withoutErrorExamples(compiled));
  const data = mockDataOf(createContract(document), { tokens, promises });
  const sibling = (name: string) => fileURLToPath(siblingModule(name, import.meta.url));
  const entry = [
    `import { createMock as createWith } from '#create-mock';`,
    `import { mockContractOf } from '#mock-contract';`,
    `import { contract as compiled } from '${contractModule}';`,
    pageRules === undefined ? 'const pageRules = {};' : `import { pageRules } from '#page-rules';`,
    `const data = JSON.parse(${JSON.stringify(JSON.stringify(data))});`,
    'const contract = mockContractOf(compiled, data, pageRules);',
    'export const createMock = (options) => createWith(contract, options);',
    `import { describeScenarios } from '#scenarios';`,
    'export const scenarios = describeScenarios(contract);',
    `export { mockToken, mockTokenWith } from '#tokens';`,
  ].join('\n');
  const { code, imports } = await bundleModules(
    { ...emitContract(contract), '#mock': entry },
    {
      entry: '#mock',
      files: {
        '#create-mock': sibling('../../mock/create-mock'),
        '#mock-contract': sibling('../../mock/mock-contract'),
        '#scenarios': sibling('../../mock/scenarios/catalog'),
        '#tokens': sibling('../../mock/authenticate'),
        ...(pageRules === undefined ? {} : { '#page-rules': resolve(pageRules) }),
      },
      replaced: generated,
      minify: true,
    },
  );
  if (imports.length > 0)
    throw new Error(
      `The mock inside pages must run in browsers, but its rules import ${imports.join(', ')}.`,
    );
  return { 'mock.js': code, 'mock.d.ts': await typesOfPageMock() };
}

/** Leaves out the schemas of events, which the mock does not send. */
function forRequests(contract: ContractInMemory): ContractInMemory {
  const used = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node === 'object' && node !== null) for (const each of Object.values(node)) visit(each);
    // An example can be equal to the name of a schema, which is then kept needlessly.
    if (typeof node !== 'string' || used.has(node) || !Object.hasOwn(contract.schemas, node)) return;
    used.add(node);
    visit(contract.schemas[node]);
  };
  visit(contract.operations);
  const schemas = Object.entries(contract.schemas).filter(([name]) => used.has(name));
  return { ...contract, components: {}, schemas: Object.fromEntries(schemas) };
}

/** Leaves out the examples of errors, which a contract with an error format of its own does not need. */
const withoutErrorExamples = (contract: ContractInMemory): ContractInMemory => ({
  ...contract,
  operations: contract.operations.map((plan) => ({
    ...plan,
    responses: mapValues(plan.responses, (response) => ({
      ...response,
      content: mapValues(response.content, ({ examples: _examples, ...body }) => body),
    })),
  })),
});

const mapValues = <From, To>(from: Readonly<Record<string, From>>, change: (value: From) => To) =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value)]));

interface DataOptions {
  tokens: MockContract['tokens'];
  /** The additions that the API may make without a new major version. */
  promises: readonly PromiseName[];
}

/** Returns the data of a contract's mock: all examples, and the places that scenarios treat in a special way. */
function mockDataOf(contract: Contract, { tokens, promises }: DataOptions): MockData {
  const { bodies, operations, operationOf, values } = readExamples(contract);
  const marked = hasOpenMarks(contract.document);
  // Many responses have the same schema.
  const locationsIn = oncePer(
    ({ schema, isError }: { schema: JsonSchema; isError: boolean }) =>
      markedLocationsOf(values().context, schema, marked, isError),
    JSON.stringify,
  );
  const locationsOf = (id: string): Record<string, MarkedLocations> =>
    Object.fromEntries(
      Object.entries(operationOf(id).responses).flatMap(([status, { content }]) => {
        const [first] = content;
        const found = first ? locationsIn({ schema: first.schema, isError: /^[45]/.test(status) }) : {};
        return Object.keys(found).length > 0 ? [[status, found]] : [];
      }),
    );
  return {
    operations: Object.fromEntries(
      Object.entries(operations).map(([id, { examples }]) => [id, { examples, locations: locationsOf(id) }]),
    ),
    bodies,
    scopes: [...scopesIn(contract.document)],
    tokens,
    promises,
  };
}

/** Modules that contain only types, in the order of their imports. */
const modules = ['../../../../server/contract/handler-types', '../../mock/mock-types'];

/** Returns the declarations of the generated mock. They need only the generated operation table. */
async function typesOfPageMock(): Promise<string> {
  const sources = await Promise.all(
    modules.map((name) => {
      const file = siblingModule(name, import.meta.url);
      // The package of the toolchain has declarations instead of sources.
      file.pathname = file.pathname.replace(/\.js$/, '.d.ts');
      return readFile(file, 'utf8');
    }),
  );
  const declarations = sources.map((source) =>
    source.replaceAll(/^import type \{[^}]*\} from '[^']*';\n/gm, '').replaceAll(/^export \{\};\n/gm, ''),
  );
  return [
    'import type { OperationTypes, operations } from "./operations.js";',
    '',
    ...declarations.map((text) => text.replace(/\n\/\/# sourceMappingURL=.*\n?/, '\n')),
    '/** The types of the mock of this contract. */',
    'export type ContractMock = Mock<OperationTypes, typeof operations>;',
    '',
    'type Module = GeneratedMock<OperationTypes, typeof operations>;',
    '',
    ...exportsOf(declarations.at(-1) ?? ''),
  ].join('\n');
}

/** Declares the members of `GeneratedMock` as exports, with their comments. */
function exportsOf(source: string): string[] {
  const [, members = ''] = /interface GeneratedMock<[^{]*\{\n(.*?)\n\}/s.exec(source) ?? [];
  const found = members.matchAll(/( *\/\*\*(?:(?!\*\/).)*\*\/)\n *(\w+):/gs);
  return Array.from(
    found,
    ([, comment = '', name]) =>
      `${comment.replaceAll(/^ {2,4}(?=\/| )/gm, '')}\nexport declare const ${name}: Module["${name}"];\n`,
  );
}
