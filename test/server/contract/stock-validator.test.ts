import fc from 'fast-check';
import { OpenAPIBackend } from 'openapi-backend';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { loadContract } from '../../../scripts/contract/load/load-contract.ts';
import { basePathsOf } from '../../../scripts/contract/model/base-paths.ts';
import { createContract } from '../../../scripts/contract/model/contract.ts';
import { viewFor } from '../../../scripts/contract/model/read-write-views.ts';
import { isAcceptedBy } from '../../../scripts/lab/replay/replay-refusals.ts';
import { resolvePointer } from '../../../scripts/lib/json-pointer.ts';
import { knownFormats } from '../../../scripts/lib/known-formats.ts';
import type { OpenApiDocument } from '../../../scripts/lib/openapi-document.ts';
import {
  type TestedOperation,
  operationsOf as testedOperationsOf,
} from '../../../scripts/testing/requests/operations.ts';
import { requestSpaceOf } from '../../../scripts/testing/requests/request-space.ts';
import { createRequestSender } from '../../../scripts/testing/requests/send.ts';
import { type SerializedRequest, serializeRequest } from '../../../scripts/testing/requests/serialize.ts';
import { tryGenerate } from '../../../scripts/testing/schema-values/arbitrary.ts';
import { createSchemaContext } from '../../../scripts/testing/schema-values/schema-context.ts';
import type { CompiledOperation } from '../../../server/contract/operation.ts';
import { operationsOf } from '../../../server/contract/operations.ts';
import { type JsonObject, objectOf } from '../../../server/lib/json-object.ts';
import { unescapePointer } from '../../../server/lib/json-text.ts';
import type { SchemaViolation } from '../../../server/lib/violation.ts';
import { createStockValidator } from '../../../server/validation/second-validator/stock-middleware.ts';
import { inheritedNames } from '../../support/inherited-names.ts';
import { sampleCount, seed } from '../../support/sampling.ts';
import { servePipeline } from './serve-pipeline.ts';

/** Our own contract, and documents with many kinds of parameters, bodies and schemas. */
const documents = [
  'openapi/openapi.yaml',
  'node_modules/@readme/oas-examples/2.0/json/petstore.json',
  'node_modules/@readme/oas-examples/3.0/json/callbacks.json',
  'node_modules/@readme/oas-examples/3.0/json/complex-nesting.json',
  'node_modules/@readme/oas-examples/3.0/json/petstore-expanded.json',
  'node_modules/@readme/oas-examples/3.0/json/petstore.json',
  'node_modules/@readme/oas-examples/3.0/json/schema-circular.json',
  'node_modules/@readme/oas-examples/3.0/json/schema-types.json',
  'node_modules/@readme/oas-examples/3.1/json/petstore.json',
  'node_modules/@readme/oas-examples/3.1/json/readme.json',
  'node_modules/@readme/oas-examples/3.1/json/schema-types.json',
  'node_modules/@readme/oas-examples/3.1/json/train-travel.json',
];

/** Contains every scope. */
const allScopes = Object.assign(new Set<string>(), { has: () => true });

/** Sends a request, and resolves to whether it has reached its handler. */
type Accepts = (request: SerializedRequest) => Promise<boolean>;

async function startOurs(document: OpenApiDocument): Promise<Accepts> {
  let isAccepted = false;
  const respond = async () => {
    isAccepted = true;
    return { status: 299 };
  };
  const authenticate = async () => ({ caller: undefined, scopes: allScopes, headers: {} });
  const base = await servePipeline(document, respond, { authenticate });
  const { send, close } = createRequestSender(base + basePathsOf(document.servers)[0], 10_000);
  onTestFinished(close);
  return async (request) => {
    isAccepted = false;
    await send(request);
    return isAccepted;
  };
}

const headersOf = ({ headers }: SerializedRequest) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

function startStock(document: OpenApiDocument): Accepts {
  const validate = createStockValidator(document);
  const base = basePathsOf(document.servers)[0];
  return (request) => {
    const { method, target, body = '' } = request;
    return isAcceptedBy(validate, { method, url: base + target, headers: headersOf(request), body });
  };
}

async function startBackend(document: OpenApiDocument): Promise<Accepts> {
  // It serves only operations with an ID.
  const definition = structuredClone(document);
  for (const { id, pointer } of createContract(document).operations)
    Object.assign(objectOf(resolvePointer(definition, pointer)), { operationId: id });
  const base = basePathsOf(document.servers)[0];
  const [reject, accept] = [() => false, () => true];
  const backend = new OpenAPIBackend({
    definition: definition as never,
    apiRoot: base || '/',
    quick: true,
    coerceTypes: true,
    ajvOpts: { strict: false, logger: false, formats: knownFormats },
    securityHandlers: Object.fromEntries(
      Object.keys(document.components?.securitySchemes ?? {}).map((scheme) => [scheme, accept]),
    ),
    handlers: { validationFail: reject, notFound: reject, methodNotAllowed: reject, notImplemented: accept },
  });
  await backend.init();
  return (request) => {
    const { method, target, body } = request;
    const [path, query = ''] = (base + target).split('?');
    return backend.handleRequest({ method, path: String(path), query, body, headers: headersOf(request) });
  };
}

/** Whether to test an operation. The stock middleware needs other middleware for bodies that are not JSON. */
const isComparable = ({ body, basePath }: TestedOperation): boolean =>
  basePath === undefined && (body?.content ?? []).every(({ mediaType }) => /[/+]json/.test(mediaType));

const others = ['express-openapi-validator', 'openapi-backend'] as const;
type Other = (typeof others)[number];

/** A violation of a body that another implementation accepts. */
interface AcceptedViolation extends SchemaViolation {
  /** The schema of the property, if it is one of the body's own. */
  property: JsonObject;
  body: unknown;
}

/** Why another implementation accepts what ours rejects. There is no reason for which it rejects what ours accepts. */
const reasons: Readonly<
  Record<
    string,
    {
      by: readonly Other[];
      explains: (violation: AcceptedViolation) => boolean;
      /** Only large samples have such values. */
      isRare?: true;
    }
  >
> = {
  'fills in the default of a missing required property': {
    by: ['express-openapi-validator', 'openapi-backend'],
    explains: ({ keyword, property }) => keyword === 'required' && 'default' in property,
  },
  'takes inherited names for documented properties, and accepts them in closed objects': {
    by: ['express-openapi-validator', 'openapi-backend'],
    explains: ({ body }) =>
      inheritedNames.some((name) => JSON.stringify(body)?.includes(`${JSON.stringify(name)}:`)),
  },
  'does not know unevaluatedProperties': {
    by: ['openapi-backend'],
    explains: ({ keyword }) => keyword === 'unevaluatedProperties',
    isRare: true,
  },
};

/** The reasons that were needed. */
const used = new Set<string>();
const finished = new Set<string>();
afterAll(() => {
  if (finished.size < documents.length) return;
  const all = Object.entries(reasons)
    .filter(([, { isRare }]) => !isRare)
    .flatMap(([reason, { by }]) => by.map((other) => `${other} ${reason}`));
  expect([...used]).toEqual(expect.arrayContaining(all));
});

/** Returns the reasons why another implementation accepts a body; undefined if a violation has none. */
function reasonsFor(
  other: Other,
  operation: CompiledOperation | undefined,
  body: unknown,
): string[] | undefined {
  const content = operation?.body?.content['application/json'];
  if (!operation || !content) return undefined;
  const properties = objectOf(operation.resolve({ $ref: content.schema }).properties);
  const found = operation.validateRequestBody('application/json', structuredClone(body)).map((violation) => {
    const property = objectOf(properties[unescapePointer(violation.pointer.slice(1))]);
    return Object.keys(reasons).find(
      (reason) =>
        reasons[reason]?.by.includes(other) && reasons[reason]?.explains({ ...violation, property, body }),
    );
  });
  const known = found.flatMap((reason) => reason ?? []);
  return known.length > 0 && known.length === found.length ? known : undefined;
}

test.each(documents)('our pipeline and two other implementations agree on requests to %s', async (name) => {
  const { document } = await loadContract(name);
  const ours = await startOurs(document);
  const accepts = {
    'express-openapi-validator': startStock(document),
    'openapi-backend': await startBackend(document),
  };
  const compiled = operationsOf(compileContract(document));
  const context = createSchemaContext(viewFor('requests', document));
  const seen = { accepted: 0, rejected: 0 };
  for (const operation of testedOperationsOf(context).filter(isComparable)) {
    // Some schemas allow no value, or none that can be generated.
    const space = tryGenerate(() => requestSpaceOf(context, operation));
    if (!space) continue;
    const { valid, invalid, limits } = space;
    const attempts = [
      ...limits,
      ...fc.sample(valid, { numRuns: sampleCount(2), seed }),
      ...invalid
        .filter(({ wrong }) => wrong.kind !== 'malformed' && wrong.kind !== 'mediaType')
        .flatMap(({ attempts: broken }) => fc.sample(broken, { numRuns: sampleCount(1), seed })),
    ];
    for (const { request, what } of attempts) {
      // The stock middleware rejects a request without its optional body.
      if (operation.body && request.body === undefined) continue;
      const sent = serializeRequest(request);
      const isAccepted = await ours(sent);
      seen[isAccepted ? 'accepted' : 'rejected'] += 1;
      for (const other of others) {
        const byOther = await accepts[other](sent);
        if (byOther === isAccepted) continue;
        const plan = compiled.find(({ id }) => id === operation.id);
        const why = byOther ? reasonsFor(other, plan, request.body?.value) : undefined;
        expect(why, `${other}: ${what} ${JSON.stringify(sent)}, accepted: ${byOther}`).toBeDefined();
        for (const reason of why ?? []) used.add(`${other} ${reason}`);
      }
    }
  }
  expect(seen.accepted).toBeGreaterThan(0);
  finished.add(name);
});
