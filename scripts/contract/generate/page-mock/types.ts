import { readFile } from 'node:fs/promises';
import { siblingModule } from '../../../lib/sibling-module.ts';

/** Modules that contain only types, in the order of their imports. */
const modules = ['../../../../server/contract/handler-types', '../../mock/mock-types'];

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
