import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { validateExamples } from '../../../../scripts/contract/check/checks/examples.ts';
import { compareContracts } from '../../../../scripts/contract/diff/compare.ts';
import { buildSite } from '../../../../scripts/contract/docs/site.ts';
import { examineContract } from '../../../../scripts/contract/doctor/examine-contract.ts';
import { generateFiles } from '../../../../scripts/contract/generate/files.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { withDefaults } from '../../../../scripts/contract/read-config.ts';
import { createPrng } from '../../../../scripts/lib/prng.ts';
import { compileDocument } from '../../../../scripts/package/compile-document.ts';
import { contract } from '../../../../scripts/runtime-package/express.ts';
import { coverageItemsOf } from '../../../../scripts/testing/coverage/coverage-items.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { isObject } from '../../../../server/lib/json-object.ts';
import { readYaml } from '../../../support/documents.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';
import { startListening } from '../../../support/start-listening.ts';
import { afterAllTests, temporaryFolder } from '../../../support/temporary-folder.ts';
import { withRichParts } from '../hostile-document.ts';

/** A document with every kind of part. */
const document = withRichParts(readYaml(import.meta.dirname, 'every-part.yaml'));

const replacements = [null, 5, true, 'text', [1], [], {}, { a: null }, { $ref: '#/info/title' }];

/** A document with one replaced part. */
interface Changed {
  what: string;
  document: unknown;
}

/** Returns documents in which one part, at any place, has another value. */
function changesOf(given: unknown): Changed[] {
  const paths: string[][] = [];
  const visit = (node: unknown, path: string[]): void => {
    paths.push(path);
    if (typeof node === 'object' && node !== null)
      for (const [name, inner] of Object.entries(node)) visit(inner, [...path, name]);
  };
  visit(given, []);
  const replaced = (node: unknown, [name, ...rest]: string[], value: unknown): unknown => {
    if (name === undefined) return value;
    if (Array.isArray(node))
      return node.map((each, at) => (String(at) === name ? replaced(each, rest, value) : each));
    return isObject(node) ? { ...node, [name]: replaced(node[name], rest, value) } : node;
  };
  return paths.flatMap((path) =>
    replacements.map((value) => ({
      what: `${path.join(' ')} = ${JSON.stringify(value)}`,
      document: replaced(given, path, value),
    })),
  );
}

/** Returns a sample of a list. */
function sampleOf<Item>(items: readonly Item[], count: number): Item[] {
  const prng = createPrng(seed);
  return items.length <= count ? [...items] : Array.from({ length: count }, () => prng.oneOf(items));
}

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await temporaryFolder(afterAllTests);
  file = join(folder, 'openapi.json');
});

const quiet = { onIgnored: () => {} };

/** Loads a document; undefined if it is rejected as it should be: with its place, and what to do. */
async function load({ what, document: changed }: Changed) {
  await writeFile(file, JSON.stringify(changed));
  return loadContract(file, quiet).catch((error: Error) => {
    expect(error.message, what).toMatch(
      /openapi\.json(:\d+:\d+ .*\n {2}at \/| is not an OpenAPI document| cannot be read: Self-referencing)/,
    );
    expect(error.message, what).not.toMatch(/undefined|Cannot (read|convert)|is not a function|\[object/);
  });
}
type Loaded = Awaited<ReturnType<typeof loadContract>>;

const config = withDefaults({});
const tools: Record<string, (loaded: Loaded, before: Loaded) => unknown> = {
  coverage(loaded) {
    const context = createSchemaContext(loaded.document);
    return coverageItemsOf(context, operationsOf(context));
  },
  examples: (loaded) => validateExamples(loaded),
  middleware: async () =>
    contract(await compileDocument(file), {
      authenticate: async () => ({ caller: undefined, scopes: new Set<string>(), headers: {} }),
    }),
  async mock() {
    const { server } = await createMockServer({ config, api: file });
    const url = await startListening(server);
    for (const method of ['GET', 'PUT'])
      expect((await fetch(`${url}/books`, { method })).status).not.toBe(500);
  },
};
const slowTools: typeof tools = {
  doctor: () => examineContract(file, config),
  docs: () => buildSite({ api: file, out: join(folder, 'docs'), mock: 'http://127.0.0.1:1', config }),
  generate: () => generateFiles(file, 'npm run generate', config),
  compare: (loaded, before) => compareContracts(before.document, loaded.document, '2026-01-01'),
};

test('rejects a part of the wrong type anywhere, with its place, or every tool works', async () => {
  const changes = changesOf(document);
  const before = (await load({ what: 'unchanged', document })) ?? expect.fail('It was rejected.');
  let accepted = 0;
  for (const change of sampleOf(changes, sampleCount(60))) {
    const loaded = await load(change);
    if (loaded === undefined) continue;
    accepted += 1;
    for (const [name, run] of Object.entries(accepted % 15 === 0 ? { ...tools, ...slowTools } : tools))
      try {
        await run(loaded, before);
      } catch (error) {
        // Tools throw errors of their own, such as for an unknown security scheme.
        const kind = error instanceof Error ? error.constructor.name : typeof error;
        expect(`${kind} of ${name} for ${change.what}: ${error}`).toMatch(/^Error of (?!.*Cannot read)/);
      }
  }
  expect(accepted).toBeGreaterThan(7);
});

test('accepts keywords without a value, empty lists instead of empty maps, and numbers instead of texts', async () => {
  const loaded = await load({
    what: 'an incomplete document',
    document: {
      openapi: '3.0.3',
      info: { title: 5, version: 1.5, description: null, contact: null },
      servers: null,
      tags: [{ name: 2026, externalDocs: null }],
      paths: {
        '/a': {
          parameters: null,
          get: {
            tags: [2026],
            security: null,
            responses: { 200: { description: null, headers: [], content: null } },
          },
          put: {
            parameters: [
              { name: 'q', in: 'query', schema: { type: 'string', nullable: true }, example: null },
            ],
            responses: { 204: { description: 'Done' } },
          },
        },
      },
      components: { schemas: null, responses: [] },
    },
  });
  expect(loaded?.document).toMatchObject({
    info: { title: '5', version: '1.5' },
    tags: [{ name: '2026' }],
    paths: { '/a': { get: { tags: ['2026'], responses: { 200: {} } } } },
  });
  // The type of the parameter, and its example.
  expect(JSON.stringify(loaded?.document).match(/null|\[\]/g)).toEqual(['null', 'null']);
  expect(JSON.stringify(loaded?.document)).toContain('"value":null');
});
