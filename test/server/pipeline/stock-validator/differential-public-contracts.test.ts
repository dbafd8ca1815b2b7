import { createServer } from 'node:http';
import express from 'express';
import * as stock from 'express-openapi-validator';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { viewFor } from '../../../../scripts/contract/model/read-write-views.ts';
import type { OpenApiDocument } from '../../../../scripts/lib/openapi-document.ts';
import { operationsOf, type TestedOperation } from '../../../../scripts/testing/requests/operations.ts';
import { requestSpaceOf } from '../../../../scripts/testing/requests/request-space.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { serializeRequest } from '../../../../scripts/testing/requests/serialize.ts';
import { tryGenerate } from '../../../../scripts/testing/schema-values/arbitrary.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { objectOf } from '../../../../server/lib/json-object.ts';
import { unescapePointer } from '../../../../server/lib/json-text.ts';
import { basePathsOf } from '../../../../server/pipeline/base-paths.ts';
import { documentedErrors } from '../../../../server/pipeline/documented-errors.ts';
import { operationsOf as compiledOperationsOf } from '../../../../server/pipeline/operations.ts';
import { createPipeline } from '../../../../server/pipeline/pipeline.ts';
import { stockValidatorOptions } from '../../../../server/second-validator/stock-options.ts';
import { startListening } from '../../../support/http.ts';
import { inheritedNames } from '../../../support/inherited-names.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';

/** Documents with many kinds of parameters, bodies and schemas. */
const documents = [
  '2.0/json/petstore.json',
  '3.0/json/callbacks.json',
  '3.0/json/complex-nesting.json',
  '3.0/json/petstore-expanded.json',
  '3.0/json/petstore.json',
  '3.0/json/schema-circular.json',
  '3.0/json/schema-types.json',
  '3.1/json/petstore.json',
  '3.1/json/readme.json',
  '3.1/json/schema-types.json',
  '3.1/json/train-travel.json',
];

/** Serves a contract. Returns the base URL, and the request IDs of the requests that were accepted. */
async function startOurs(document: OpenApiDocument) {
  const accepted = new Set<string>();
  const pipeline = createPipeline<undefined>({
    contract: compileContract(document),
    errors: documentedErrors,
    authenticate: async () => ({ caller: undefined, scopes: allScopes, headers: {} }),
    respond: async (_operation, _input, req) => {
      accepted.add(String(req.headers['x-request-id']));
      return { status: 299 };
    },
  });
  return { base: await startListening(createServer(express().use(pipeline))), accepted };
}

/** Contains every scope. */
const allScopes = Object.assign(new Set<string>(), { has: () => true });

async function startStock(document: OpenApiDocument) {
  const accepted = new Set<string>();
  const app = express();
  app.use(express.json({ strict: false, type: (req) => /[/+]json/.test(req.headers['content-type'] ?? '') }));
  app.use(stock.middleware({ ...stockValidatorOptions(), apiSpec: structuredClone(document) as never }));
  app.use((req, res) => {
    accepted.add(String(req.headers['x-request-id']));
    res.status(299).end();
  });
  const failed: express.ErrorRequestHandler = (error, _req, res, _next) =>
    void res.status(error.status ?? 500).end();
  app.use(failed);
  return { base: await startListening(createServer(app)), accepted };
}

/** Whether to test an operation. The stock middleware needs other middleware for bodies that are not JSON. */
const isComparable = ({ body, basePath }: TestedOperation): boolean =>
  basePath === undefined && (body?.content ?? []).every(({ mediaType }) => /[/+]json/.test(mediaType));

/**
 * Whether the stock middleware accepts a body although its schema does not: it fills in the default of a missing required
 * property, and takes every value of the format `binary`.
 */
function isAcceptedByStockOnly(document: OpenApiDocument, id: string, body: unknown): boolean {
  const operation = compiledOperationsOf(compileContract(document)).find((each) => each.id === id);
  const content = operation?.requestContent.get('application/json');
  if (!operation || !content) return false;
  const properties = objectOf(content.resolve(content.schema).properties);
  const found = operation.validateRequestBody('application/json', structuredClone(body));
  return (
    found.length > 0 &&
    found.every(({ pointer, keyword }) => {
      const property = objectOf(properties[unescapePointer(pointer.slice(1))]);
      return keyword === 'required' ? 'default' in property : property.format === 'binary';
    })
  );
}

test.each(documents)('our pipeline and express-openapi-validator agree on requests to %s', async (name) => {
  const { document } = await loadContract(`node_modules/@readme/oas-examples/${name}`);
  const [ours, theirs] = [await startOurs(document), await startStock(document)];
  const senders = [ours, theirs].map(({ base }) =>
    createRequestSender(base + basePathsOf(document.servers)[0], 10_000),
  );
  onTestFinished(() => {
    for (const { close } of senders) close();
  });
  const context = createSchemaContext(viewFor('requests', document));
  const seen = { accepted: 0, rejected: 0 };
  for (const operation of operationsOf(context).filter(isComparable)) {
    // Some schemas allow no value, or none that can be generated.
    const space = tryGenerate(() => requestSpaceOf(context, operation));
    if (!space) continue;
    const { valid, invalid, limits } = space;
    const attempts = [
      ...limits,
      ...fc.sample(valid, { numRuns: sampleCount(2), seed }),
      ...invalid
        .filter(
          ({ wrong }) => wrong.kind !== 'unknown' && wrong.kind !== 'malformed' && wrong.kind !== 'mediaType',
        )
        .flatMap(({ attempts: broken }) => fc.sample(broken, { numRuns: sampleCount(1), seed })),
    ];
    for (const [at, { request, what }] of attempts.entries()) {
      // The stock middleware rejects a request without its optional body.
      if (operation.body && request.body === undefined) continue;
      const id = `${operation.id}-${at}`;
      const wire = serializeRequest(request);
      const sent = { ...wire, headers: { ...wire.headers, 'X-Request-Id': id } };
      await Promise.all(senders.map(({ send }) => send(sent)));
      const verdicts = [ours, theirs].map(({ accepted }) => accepted.has(id));
      // The stock middleware takes inherited names for documented properties, and accepts them in closed objects.
      const isInherited = inheritedNames.some((name) =>
        JSON.stringify(request.body?.value)?.includes(`"${name}":`),
      );
      if (isInherited && !verdicts[0]) continue;
      if (verdicts[1] && isAcceptedByStockOnly(document, operation.id, request.body?.value)) continue;
      expect({ what, sent, accepted: verdicts[0] }).toEqual({ what, sent, accepted: verdicts[1] });
      seen[verdicts[0] ? 'accepted' : 'rejected'] += 1;
    }
  }
  expect(seen.accepted).toBeGreaterThan(0);
});
