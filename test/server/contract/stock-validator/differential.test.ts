import { createServer } from 'node:http';
import express from 'express';
import * as stock from 'express-openapi-validator';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import { viewFor } from '../../../../scripts/contract/model/read-write-views.ts';
import type { OpenApiDocument } from '../../../../scripts/lib/openapi-document.ts';
import { operationsOf as testedOperationsOf } from '../../../../scripts/testing/requests/operations.ts';
import {
  anyInvalidValue,
  invalidValuesOf,
} from '../../../../scripts/testing/schema-values/invalid-values.ts';
import {
  createSchemaContext,
  type SchemaContext,
} from '../../../../scripts/testing/schema-values/schema-context.ts';
import { valuesOf } from '../../../../scripts/testing/schema-values/values.ts';
import { operationsOf } from '../../../../server/contract/operations.ts';
import { stockValidatorOptions } from '../../../../server/validation/second-validator/stock-middleware.ts';
import { createApiClient } from '../../../support/api-client.ts';
import { isLong, seed } from '../../../support/sampling.ts';
import { startListening } from '../../../support/start-listening.ts';
import { fixturesWith, operationIds, sendValid } from '../../own-contract/valid-requests.ts';

test.each(operationIds)(
  'our pipeline and express-openapi-validator agree on generated responses of %s',
  async (id) => {
    const operation = operationsOf(compileContract(document)).find((candidate) => candidate.id === id);
    if (!operation) throw new Error(id);
    const context = createSchemaContext(viewFor('responses', document));
    let current: { status: number; body: unknown } = { status: 200, body: null };
    const theirs = await stockApp(document, (_req, res) => {
      res.status(current.status).json(current.body);
    });
    const api = createApiClient(theirs);
    const fixtures = fixturesWith((index) => index + 1);
    const seen = { accepted: 0, refused: 0 };
    for (const { status, schema } of bodySchemasOf(context, id)) {
      const valid = valuesOf(context, [schema]);
      const invalid = anyInvalidValue(invalidValuesOf(context, schema))?.map(({ value: broken }) => broken);
      // Express sends null as an empty body, which the stock middleware does not validate.
      const bodies = fc
        .oneof(valid, invalid ?? fc.jsonValue(), fc.jsonValue())
        .filter((each) => each !== null);
      for (const body of fc.sample(bodies, { numRuns: isLong ? 500 : 25, seed })) {
        current = { status, body };
        const { headers } = await sendValid(api, id, fixtures);
        const accepted = operation.validateBody(String(status), 'application/json', body).length === 0;
        expect({ status, body, accepted }).toEqual({ status, body, accepted: !headers.has('x-refused') });
        seen[accepted ? 'accepted' : 'refused'] += 1;
      }
    }
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(10);
  },
  60_000,
);

/**
 * Returns the schemas of an operation's response bodies, with their status. Status codes from 500 are left out, because
 * the stock middleware does not validate them.
 */
function bodySchemasOf(context: SchemaContext, id: string) {
  const found = testedOperationsOf(context).find((operation) => operation.id === id);
  return Object.entries(found?.responses ?? {})
    .filter(([status]) => Number(status) < 500)
    .flatMap(([status, { content }]) => content.map(({ schema }) => ({ status: Number(status), schema })));
}

/** Starts an app with the stock middleware, mounted as documented, with the options of our pipeline. */
async function stockApp(contract: OpenApiDocument, handler: express.RequestHandler): Promise<string> {
  const app = express();
  app.use(express.json({ strict: false, limit: '2mb' }));
  app.use(stock.middleware({ ...stockValidatorOptions(), apiSpec: structuredClone(contract) as never }));
  app.use(handler);
  const failed: express.ErrorRequestHandler = (error, _req, res, _next) => {
    res
      .status(error.status ?? 500)
      .set('x-refused', 'yes')
      .end(JSON.stringify({ errors: error.errors ?? [], message: error.message }));
  };
  app.use(failed);
  return startListening(createServer(app));
}
