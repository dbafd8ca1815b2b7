import type { JsonObject } from '../../../../server/lib/json-object.ts';
import { once } from '../../../lib/once.ts';
import { operationsOf, type TestedOperation } from '../../../testing/requests/operations.ts';
import { tryGenerate } from '../../../testing/schema-values/arbitrary.ts';
import type { JsonSchema } from '../../../testing/schema-values/schema.ts';
import { createSchemaContext } from '../../../testing/schema-values/schema-context.ts';
import type { PortalSettings } from '../../config.ts';
import { bodyRules, parameterRules } from '../../generate/client/parameter-rules.ts';
import { credentialHeaders } from '../../mock/credential-headers.ts';
import { createValues } from '../../mock-server/generated-values.ts';
import type { Contract } from '../../model/contract.ts';
import type { Operation, Parameter } from '../../model/operation.ts';
import type { CodeFigure } from '../code-figure.ts';
import { choicesOf, parameterProperty } from './documented-properties.ts';
import { exampleIn } from './nodes.ts';
import type { Property } from './property-list.ts';
import { requestSamples } from './request-samples.ts';
import {
  newKey,
  type SampleParts,
  type SampleRequest,
  type SampleTarget,
  type SentValue,
  sampleRequest,
} from './sample-request.ts';
import { literal, typescriptSample } from './typescript-sample.ts';

/** The client whose calls the reference shows. */
type SampleClient = Pick<NonNullable<PortalSettings['client']>, 'variable' | 'setup'>;

/** A value of a request that readers can change. The type of values that are no parameters, such as credentials, is empty. */
export interface RequestField extends SentValue, Pick<Property, 'type' | 'isRequired'> {
  /** The values that readers choose from; empty if they write one. */
  choices: readonly string[];
}

export interface OperationSamples {
  samples: readonly CodeFigure[];
  /** The request that the samples send; undefined if it cannot be shown in other languages, such as a form with files. */
  request: SampleRequest | undefined;
  /** The URL of the server in the samples. */
  url: string;
  /** The variable of the client in the sample in TypeScript. */
  variable: string;
  /** What readers can change in the request besides its body. */
  fields: readonly RequestField[];
}

/** Creates the samples of a contract's operations. @param change changes the values of the examples */
export type SamplesOf = (
  operation: Operation,
  change?: (shown: SampleParts) => SampleParts,
) => OperationSamples;

/**
 * Returns a function that writes code which calls an operation: with an openapi-fetch client, and in other languages. What
 * the contract shows no example of is generated.
 */
export function createSamples(
  contract: Contract,
  { variable, setup }: SampleClient,
  mock: SampleTarget,
): SamplesOf {
  const isWrapped = !setup && parameterRules(contract).length + bodyRules(contract).length > 0;
  const context = createSchemaContext(contract.view('request').document);
  const values = createValues(context);
  const tested = once(() => new Map(operationsOf(context).map((each) => [each.id, each])));
  const shownValue = (node: JsonObject, schema: JsonSchema | undefined, name: string): unknown =>
    exampleIn(contract, node) ?? (schema && tryGenerate(() => values.body(schema, [name])));
  return (operation, change = (shown) => shown) => {
    const { method, path } = operation;
    const parts = change(partsOf(operation, tested().get(operation.id), shownValue));
    const schemes = operation.securitySchemes[0] ?? [];
    const created =
      setup?.(mock.url, mock.token) ??
      openapiFetchSetup(variable, mock.url, credentialHeaders(schemes, mock.token), isWrapped);
    // Headers with this mark must be stored, because no other response has them.
    const keptHeaders = Object.values(operation.responses)
      .flatMap(({ headers }) => headers)
      .filter(({ name, node }) => node['x-only-here'] === true && /^[\w-]+$/.test(name))
      .map(({ name }) => name);
    const request = sampleRequest(mock, method, path, parts, schemes, keptHeaders);
    const typescript = {
      label: 'TypeScript',
      language: 'typescript',
      text: `${created}\n\n${typescriptSample(variable, method, path, parts, keptHeaders)}`,
    };
    const caption = `${method.toUpperCase()} ${path}`;
    return {
      request,
      url: mock.url,
      variable,
      fields: request ? fieldsOf(contract, operation, request) : [],
      samples: [typescript, ...(request ? requestSamples(request) : [])].map((sample) => ({
        ...sample,
        caption,
      })),
    };
  };
}

const places = ['path', 'query', 'header'] as const;

/** Returns the parameters of an operation and the other values that its request sends, the required ones first. */
function fieldsOf(contract: Contract, { parameters }: Operation, { values }: SampleRequest): RequestField[] {
  const sent = new Map(values.map((each) => [`${each.in} ${each.name}`, each]));
  const documented = parameters.flatMap((parameter) => {
    // Pages cannot send cookies.
    const place = places.find((each) => each === parameter.in);
    if (!place) return [];
    const key = `${place} ${parameter.name}`;
    const value = sent.get(key)?.value ?? '';
    sent.delete(key);
    const { name, type, isRequired } = parameterProperty(contract, parameter);
    return [{ in: place, name, type, isRequired, value, choices: choicesOf(contract, parameter) }];
  });
  const others = [...sent.values()].map((each) => ({ ...each, type: '', isRequired: true, choices: [] }));
  return [...documented, ...others].sort(
    (one, other) =>
      Number(other.isRequired) - Number(one.isRequired) || places.indexOf(one.in) - places.indexOf(other.in),
  );
}

/** As readers import it from their projects. */
const generatedTypes = './generated/types.ts';
const generatedClient = './generated/client.js';

/** Returns code that creates a client. @param isWrapped whether `generate` writes a module that serializes its parameters */
function openapiFetchSetup(
  variable: string,
  url: string,
  credentials: readonly { name: string; value: string }[],
  isWrapped: boolean,
): string {
  const headers = Object.fromEntries(credentials.map(({ name, value }) => [name, value]));
  const options = { baseUrl: url, ...(credentials.length > 0 ? { headers } : {}) };
  const client = `createClient<paths>(${literal(options)})`;
  return [
    "import createClient from 'openapi-fetch';",
    ...(isWrapped ? [`import { withSerializers } from '${generatedClient}';`] : []),
    `import type { paths } from '${generatedTypes}';`,
    `const ${variable} = ${isWrapped ? `withSerializers(${client})` : client};`,
  ].join('\n');
}

/** A key makes a request safe to repeat (draft-ietf-httpapi-idempotency-key-header). */
const isKey = (name: string): boolean => name.toLowerCase() === 'idempotency-key';

/** Only required parts, and headers that prevent mistakes, are sent: others, such as a range of dates, would narrow the result. */
const isSent = ({ name, required }: Parameter): boolean =>
  required || isKey(name) || name.toLowerCase() === 'if-match';

function partsOf(
  { parameters, body }: Operation,
  tested: TestedOperation | undefined,
  shownValue: (node: JsonObject, schema: JsonSchema | undefined, name: string) => unknown,
): SampleParts {
  const valuesIn = (location: string) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === location && isSent(parameter))
        .map(({ name, node }) => {
          if (location === 'header' && isKey(name)) return [name, newKey];
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
    files: [...(tested?.files?.keys() ?? [])],
  };
}
