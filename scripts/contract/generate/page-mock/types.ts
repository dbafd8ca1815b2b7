import { readFile } from 'node:fs/promises';
import { siblingModule } from '../../../lib/sibling-module.ts';

/** Modules that contain only types, in the order of their imports. */
const modules = ['../../../../server/pipeline/handler-types', '../../mock/mock-types'];

/** Returns the declarations of the generated mock. They need only the generated operation table. */
export async function typesOfPageMock(): Promise<string> {
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
    '/**',
    ' * Creates a mock that runs in the page or test that uses it, without a server. Its `fetch` validates requests like the',
    ' * service, and returns the examples of the contract.',
    ' */',
    'export declare const createMock: (options?: MockOptions<OperationTypes, typeof operations>) => ContractMock;',
    '',
    '/** The values of the option `scenario`. */',
    'export declare const scenarios: readonly ScenarioInfo[];',
    '',
    '/** The token with all scopes, if the mock distinguishes tokens. It is not a secret. */',
    'export declare const mockToken: string;',
    '',
    '/** Returns a token with some scopes: `ply_mock_contacts.read+fields.read`. */',
    'export declare const mockTokenWith: (scopes: readonly string[]) => string;',
    '',
  ].join('\n');
}
