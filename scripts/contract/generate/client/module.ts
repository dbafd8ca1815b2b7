import { fileURLToPath } from 'node:url';
import { siblingModule } from '../../../lib/sibling-module.ts';
import { bundleModules } from '../../compile/bundle-modules.ts';
import type { Contract } from '../../model/contract.ts';
import { formRules, parameterRules } from './parameter-rules.ts';

/**
 * Generates a module without imports that serializes the parameters and forms of a contract for openapi-fetch, and its types. It wraps
 * a client instead of creating one, so that projects without openapi-fetch, such as servers, compile.
 * @returns the sources, by file name; none if openapi-fetch sends all of them as the contract describes
 */
export async function generateClientModule(contract: Contract): Promise<Record<string, string>> {
  const rules = parameterRules(contract);
  const forms = formRules(contract);
  if (rules.length + forms.length === 0) return {};
  const entry = [
    `import { withSerializers as withRules } from '#with-serializers';`,
    `const rules = new Map(JSON.parse(${JSON.stringify(JSON.stringify(rules))}));`,
    `const forms = new Map(JSON.parse(${JSON.stringify(JSON.stringify(forms))}));`,
    'export const withSerializers = (client) => withRules(client, rules, forms);',
  ].join('\n');
  const { code } = await bundleModules(
    { '#client': entry },
    {
      entry: '#client',
      files: { '#with-serializers': fileURLToPath(siblingModule('with-serializers', import.meta.url)) },
      minify: false,
    },
  );
  return { 'client.js': code, 'client.d.ts': types };
}

const types = [
  '/**',
  ' * Returns a client of openapi-fetch that serializes parameters and forms as the contract describes: `withSerializers(createClient<paths>())`.',
  ' * @throws TypeError in calls with a value that the style of a parameter cannot express, or of operations whose parameters OpenAPI does not define',
  ' */',
  'export declare function withSerializers<Client extends object>(client: Client): Client;',
  '',
].join('\n');
