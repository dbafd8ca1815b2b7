import type { JsonObject } from '../../../../server/lib/json-object.ts';
import { once } from '../../../lib/once.ts';
import { operationsOf, type TestedOperation } from '../../../testing/requests/operations.ts';
import { tryGenerate } from '../../../testing/schema-values/arbitrary.ts';
import type { JsonSchema } from '../../../testing/schema-values/schema.ts';
import { createSchemaContext } from '../../../testing/schema-values/schema-context.ts';
import type { PortalSettings } from '../../config.ts';
import { mockToken } from '../../mock/authenticate.ts';
import { createValues } from '../../mock-server/generated-values.ts';
import type { Contract } from '../../model/contract.ts';
import type { Operation } from '../../model/operation.ts';
import { exampleIn } from './nodes.ts';
import { requestSamples, type Sample } from './request-samples.ts';
import { type SampleParts, type SampleRequest, sampleRequest } from './sample-request.ts';
import { typescriptSample } from './typescript-sample.ts';

/** The client whose calls the reference shows. */
export type SampleClient = Pick<NonNullable<PortalSettings['client']>, 'variable' | 'setup'>;

export interface OperationSamples {
  samples: readonly Sample[];
  /** The request that the samples send; undefined if it cannot be shown in other languages, such as a form with files. */
  request: SampleRequest | undefined;
}

/** Creates the samples of a contract's operations. */
export type SamplesOf = (operation: Operation) => OperationSamples;

/**
 * Returns a function that writes code which calls an operation: with an openapi-fetch client, and in other languages. What the contract shows no example of is generated.
 * @param mock URL of the mock, to which the samples in other languages send their requests
 */
export function createSamples(
  contract: Contract,
  { variable, setup = openapiFetchSetup(variable) }: SampleClient,
  mock: string,
): SamplesOf {
  const created = setup(mock, mockToken);
  const context = createSchemaContext(contract.view('request').document);
  const values = createValues(context);
  const tested = once(() => new Map(operationsOf(context).map((each) => [each.id, each])));
  const shownValue = (node: JsonObject, schema: JsonSchema | undefined, name: string): unknown =>
    exampleIn(contract, node) ?? (schema && tryGenerate(() => values.body(schema, [name])));
  return (operation) => {
    const { method, path } = operation;
    const parts = partsOf(operation, tested().get(operation.id), shownValue);
    const schemes = operation.securitySchemes[0] ?? [];
    const request = sampleRequest(mock, method, path, parts, schemes);
    return {
      request,
      samples: [
        {
          label: 'TypeScript',
          language: 'typescript',
          code: `${created}\n\n${typescriptSample(variable, method, path, parts)}`,
        },
        ...(request ? requestSamples(request) : []),
      ],
    };
  };
}

/** As readers import it from their projects. */
const generatedTypes = './generated/types.ts';

const openapiFetchSetup = (variable: string) => (url: string, token: string) =>
  `import createClient from 'openapi-fetch';
import type { paths } from '${generatedTypes}';
const ${variable} = createClient<paths>({
  baseUrl: '${url}',
  headers: { Authorization: 'Bearer ${token}' },
});`;

/** Whether an optional parameter is sent: a key makes a request safe to repeat (draft-ietf-httpapi-idempotency-key-header). */
const isKey = (name: string): boolean => name.toLowerCase() === 'idempotency-key';

/** Only required parts and keys are sent: others, such as a range of dates, would narrow the result. */
function partsOf(
  { parameters, body }: Operation,
  tested: TestedOperation | undefined,
  shownValue: (node: JsonObject, schema: JsonSchema | undefined, name: string) => unknown,
): SampleParts {
  const valuesIn = (location: string) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === location && (parameter.required || isKey(parameter.name)))
        .map(({ name, node }) => {
          const schema = tested?.parameters.find(
            (each) => each.in === location && each.name === name,
          )?.schema;
          return [name, shownValue(node, schema, name) ?? 1];
        }),
    );
  const [content] = body?.content ?? [];
  const schema = body?.required ? tested?.body?.content[0]?.schema : undefined;
  return {
    path: valuesIn('path'),
    query: valuesIn('query'),
    header: valuesIn('header'),
    body: content && shownValue(content.node, schema, 'body'),
    mediaType: content?.mediaType,
    files: tested?.files ?? [],
  };
}
