import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpConfig,
  type IHttpRequest,
} from '@stoplight/prism-http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import contract from '../../../../generated/openapi.json' with { type: 'json' };
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import { knownFormats } from '../../../../scripts/lib/known-formats.ts';
import { boundaryValuesOf } from '../../../../scripts/testing/schema-values/boundary-values.ts';
import { invalidValuesOf } from '../../../../scripts/testing/schema-values/invalid-values.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { valuesOf } from '../../../../scripts/testing/schema-values/values.ts';
import { operationsOf } from '../../../../server/pipeline/operations.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';

const names = Object.keys(contract.components.schemas);

/**
 * A contract with an operation for each schema of the project's contract. The schema is inside an object in the
 * body, because Prism treats null as a missing body.
 */
const document = {
  openapi: '3.1.0',
  jsonSchemaDialect: contract.jsonSchemaDialect,
  info: { title: 'Every schema', version: '1' },
  paths: Object.fromEntries(
    names.map((name) => [
      `/${name}`,
      {
        post: {
          operationId: name,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['it'],
                  properties: { it: { $ref: `#/components/schemas/${name}` } },
                },
              },
            },
          },
          responses: { 204: { description: 'It fits.' } },
        },
      },
    ]),
  ),
  components: { schemas: contract.components.schemas },
};

type Judge = (name: string, it: unknown) => Promise<boolean> | boolean;

function byAjv(): Judge {
  const ajv = new Ajv2020({ strict: false, formats: knownFormats });
  ajv.addSchema({ components: document.components }, 'whole');
  return (name, it) => ajv.validate(`whole#/components/schemas/${name}`, it);
}

async function byPipeline(): Promise<Judge> {
  const operations = new Map(
    operationsOf(compileContract(document)).map((operation) => [operation.id, operation]),
  );
  return (name, it) => {
    const body = { it: structuredClone(it) };
    return operations.get(name)?.validateRequestBody('application/json', body).length === 0;
  };
}

async function byPrism(): Promise<Judge> {
  const resources = await getHttpOperationsFromSpec(structuredClone(document));
  const config: IHttpConfig = {
    isProxy: false,
    validateRequest: true,
    validateResponse: false,
    checkSecurity: false,
    errors: false,
    upstreamProxy: undefined,
    mock: { dynamic: false },
  };
  const prism = createInstance(config, {
    logger: Object.assign(pino({ level: 'silent' }), { success: () => {} }),
  });
  return async (name, it) => {
    const resource = resources.find(({ path }) => path === `/${name}`) ?? expect.fail(name);
    const headers = { 'content-type': 'application/json', 'content-length': '9' };
    const request: IHttpRequest = { method: 'post', url: { path: `/${name}` }, headers, body: { it } };
    const result = await prism.request(request, [resource], config)();
    // For an invalid body, Prism returns an error instead of a response if no 422 is documented.
    return 'right' in result && result.right.validations.input.length === 0;
  };
}

const context = createSchemaContext(document);
const [ajv, pipeline, prism] = [byAjv(), await byPipeline(), await byPrism()];

test.each(names)('Ajv, express-openapi-validator and Prism agree on values for %s', async (name) => {
  const schema = context.resolve(`#/components/schemas/${name}`);
  const valid = fc.sample(valuesOf(context, [schema]), { numRuns: sampleCount(2), seed });
  const invalid = invalidValuesOf(context, schema).spaces.flatMap(({ values }) =>
    fc.sample(values, { numRuns: sampleCount(1), seed }).map(({ value }) => value),
  );
  const atLimits = boundaryValuesOf(context, schema).values.map(({ value }) => value);
  for (const it of [...valid, ...invalid, ...atLimits]) {
    const said = { ajv: ajv(name, it), pipeline: await pipeline(name, it), prism: await prism(name, it) };
    const what = JSON.stringify(it).slice(0, 300);
    expect({ what, ...said }).toEqual({ what, ajv: said.ajv, pipeline: said.ajv, prism: said.ajv });
  }
});
