import { array, documentOf, integer, object, responses } from '../../support/documents.ts';

/** Versions that an application can combine with the runtime. */
export interface Combination {
  node: number;
  /** Without it, the application is JavaScript. */
  typescript?: string;
  /** `moduleResolution` of the compiler. */
  resolution?: 'node' | 'node16' | 'nodenext' | 'bundler';
  express: 4 | 5;
  module: 'cjs' | 'esm';
  runner: 'mocha' | 'jest' | 'vitest' | 'node';
}

/** A contract with one operation for typed handlers, and one for an existing route. */
export const notesContract = documentOf({
  '/notes': {
    get: {
      operationId: 'listNotes',
      parameters: [{ name: 'limit', in: 'query', schema: { ...integer, minimum: 1 } }],
      responses: responses(array(object({ id: { ...integer, readOnly: true } }, 'id')), 200),
    },
  },
  '/other': { get: { operationId: 'getOther', responses: { 204: { description: 'Nothing.' } } } },
});

const imports = ({ typescript, module }: Combination): string => {
  const compiled = `./generated/contract.${module === 'cjs' ? 'cjs' : 'js'}`;
  if (!typescript && module === 'cjs')
    return `// @ts-check
const express = require('express');
const { contract } = require('parley-contract-runtime');
const { contract: compiled } = require('${compiled}');`;
  return `import express from 'express';
import { contract${typescript ? ', type Handlers, type RoutesOptions' : ''} } from 'parley-contract-runtime';
import { contract as compiled } from '${compiled}';
${typescript ? "import type { OperationTypes, operations } from './generated/operations.js';" : ''}`;
};

/** Reads what other middleware adds to the request, as the types of express-session do. */
const typedRequest = `declare global { namespace Express { interface Request { session?: string } } }
const authenticate: RoutesOptions<string>['authenticate'] =
  async (_credentials, request) => ({ caller: request.session ?? '', scopes: new Set() });`;

/** One operation has a typed handler, and the other a route. */
const body = ({ typescript }: Combination): string => `
const listNotes${typescript ? ": Handlers<OperationTypes, typeof operations>['listNotes']" : ''} =
  async ({ query }) => ({ status: 200, body: query.limit === 7 ? ${typescript ? '[] ' : "[{ id: 'x' }]"} : [{ id: 1 }] });
${typescript ? typedRequest : 'const authenticate = undefined;'}
const app = express();
app.use(contract(compiled, { authenticate, handlers: { listNotes }, unhandled: 'next' }));
app.get('/other', (_req, res) => { res.status(204).end(); });
`;

const suite = (importLines: string): string => `
${importLines}
const ask = async (path) => {
  const server = app.listen(0, '127.0.0.1');
  await new Promise((done) => { server.once('listening', done); });
  const response = await fetch('http://127.0.0.1:' + server.address().port + path);
  await response.text();
  server.closeAllConnections();
  await new Promise((done) => { server.close(done); });
  return response.status;
};
it('answers valid requests', async () => {
  assert.deepEqual([await ask('/notes?limit=2'), await ask('/other')], [200, 204]);
});
it('rejects what the contract does not allow', async () => {
  assert.deepEqual([await ask('/notes?limit=0'), await ask('/no')], [400, 404]);
});
`;

function testFile({ node, module, runner }: Combination): string {
  const lines =
    module === 'cjs'
      ? ["const assert = require('node:assert');", "const { app } = require('./app.js');"]
      : ["import assert from 'node:assert';", "import { app } from './app.js';"];
  if (runner === 'node')
    lines.push(module === 'cjs' ? "const { it } = require('node:test');" : "import { it } from 'node:test';");
  // The tools need Node 22.
  if (runner === 'jest' && node >= 22) lines.push("require('parley-contract/testing');");
  return suite(lines.join('\n'));
}

/** Returns the files of an application, by name. */
export function applicationFiles(given: Combination): Record<string, string> {
  const { typescript, resolution = 'node', module } = given;
  const exported = typescript || module === 'esm' ? 'export { app };\n' : 'module.exports = { app };\n';
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom'],
    module: { node: 'commonjs', node16: 'node16', nodenext: 'nodenext', bundler: 'es2022' }[resolution],
    moduleResolution: resolution,
    strict: true,
    isolatedModules: true,
    esModuleInterop: true,
    types: ['node'],
  };
  return {
    'package.json': JSON.stringify({
      name: 'app',
      private: true,
      ...(module === 'esm' ? { type: 'module' } : {}),
    }),
    [typescript ? 'app.ts' : 'app.js']: imports(given) + body(given) + exported,
    [`app.test.${module === 'cjs' ? 'cjs' : 'mjs'}`]: testFile(given),
    ...(typescript ? { 'tsconfig.json': JSON.stringify({ compilerOptions, files: ['app.ts'] }) } : {}),
    'vitest.config.mjs': 'export default { test: { globals: true } };\n',
  };
}

/** Returns the packages to install beside the runtime. */
export const installedBy = ({ typescript, express, runner }: Combination): string[] => [
  `express@${express}`,
  ...(typescript ? [`typescript@${typescript}`, `@types/express@${express}`, '@types/node@18'] : []),
  ...{ mocha: ['mocha@10'], jest: ['jest@30'], vitest: ['vitest@3'], node: [] }[runner],
];

/** Returns the command that runs the tests of an application. */
export const testCommand = ({ runner, module }: Combination): string => {
  const file = `app.test.${module === 'cjs' ? 'cjs' : 'mjs'}`;
  return {
    mocha: `mocha ${file}`,
    jest: `jest --testMatch '**/${file}' --forceExit`,
    vitest: `vitest run ${file}`,
    node: `node --test ${file}`,
  }[runner];
};
