import { fileURLToPath } from 'node:url';
import { siblingModule } from '../../../lib/sibling-module.ts';
import { bundleModules } from '../../compile/bundle-modules.ts';
import type { Contract } from '../../model/contract.ts';
import { bodyRules, parameterRules } from './parameter-rules.ts';

/**
 * Generates a module without imports that serializes the parameters and bodies of a contract for openapi-fetch, and its types. It wraps
 * a client instead of creating one, so that projects without openapi-fetch, such as servers, compile.
 * @returns the sources, by file name; none if openapi-fetch sends all of them as the contract describes
 */
export async function generateClientModule(contract: Contract): Promise<Record<string, string>> {
  const rules = parameterRules(contract);
  const bodies = bodyRules(contract);
  if (rules.length + bodies.length === 0) return {};
  const entry = [
    `import { withSerializers as withRules } from '#with-serializers';`,
    `const rules = new Map(JSON.parse(${JSON.stringify(JSON.stringify(rules))}));`,
    `const bodies = new Map(JSON.parse(${JSON.stringify(JSON.stringify(bodies))}));`,
    'export const withSerializers = (client) => withRules(client, rules, bodies);',
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
  ' * Returns a client of openapi-fetch that serializes parameters and bodies as the contract describes: `withSerializers(createClient<paths>())`.',
  ' * @throws TypeError in calls with a value that the style of a parameter cannot express, or of operations whose parameters OpenAPI does not define',
  ' */',
  'export declare function withSerializers<Client extends object>(client: Client): Client;',
  '',
].join('\n');
