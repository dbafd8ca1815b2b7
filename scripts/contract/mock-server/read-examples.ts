import { createErrorBody } from '../../../server/contract/error-body.ts';
import { includesJson, isJson } from '../../../server/contract/media-type.ts';
import { statusPhrase } from '../../../server/contract/status-phrase.ts';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { isObject, type JsonObject, objectOf } from '../../../server/lib/json-object.ts';
import { once } from '../../lib/once.ts';
import { concrete, operationsOf, type TestedOperation } from '../../testing/requests/operations.ts';
import { contentTypeOf, multipartText } from '../../testing/requests/serialize.ts';
import { createSchemaContext, type SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { statusOf } from '../mock/example-response.ts';
import type {
  ContentExamples,
  ExampleBody,
  OperationExamples,
  ResponseExamples,
} from '../mock/mock-contract.ts';
import type { Contract } from '../model/contract.ts';
import type { Content, Operation, OperationResponse, ResponseHeader } from '../model/operation.ts';
import { isMessageHeader } from '../model/read-parameters.ts';
import { exampleFactsOf } from './example-facts.ts';
import { createValues, type GeneratedValues } from './generated-values.ts';
import { withoutForbidden, withSchemaExamples } from './plausible-body.ts';
import { isXml, xmlOf } from './xml-body.ts';

/** The examples of a contract, and what generates the missing ones. */
export interface ContractExamples {
  /** The bodies of the operations that have been read. */
  bodies: readonly ExampleBody[];
  /** By operation ID. The examples of each are read when they are needed, once. */
  operations: Readonly<Record<string, OperationExamples>>;
  /** Returns an operation whose schemas belong to `values`. */
  operationOf: (id: string) => TestedOperation;
  /** Generates values for the schemas of responses. */
  values: () => GeneratedValues;
}

/**
 * Reads the examples of a contract, each operation when it is needed.
 * @param seed of the values that replace missing and invalid examples
 */
export function readExamples(contract: Contract, seed = 1): ContractExamples {
  const bodies: ExampleBody[] = [];
  const indexes = new Map<string, number>();
  const add = (body: ExampleBody): number => {
    const key = JSON.stringify(body);
    const index = indexes.get(key) ?? bodies.push(body) - 1;
    indexes.set(key, index);
    return index;
  };
  const context = once(() => createSchemaContext(contract.view('response', 'forbidden').document));
  const values = once(() => createValues(context()));
  const tested = once(() => new Map(operationsOf(context()).map((each) => [each.id, each])));
  const operationOf = (id: string) => {
    const operation = tested().get(id);
    if (!operation) throw new Error(`The contract has no operation ${id}.`);
    return operation;
  };

  const read = (operation: Operation): Readonly<Record<string, ResponseExamples>> => {
    const own = operationOf(operation.id);
    return Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => {
        const schemas = own.responses[status] ?? response;
        const content = response.content.map((each, index) =>
          contentExamples(own, each, schemas.content[index] ?? each, status),
        );
        return [
          status,
          {
            headers: headersOf(operation, status, schemas, response),
            content: [
              ...content.filter(({ mediaType }) => isJson(mediaType)),
              ...content.filter(({ mediaType }) => !isJson(mediaType)),
            ],
          },
        ];
      }),
    );
  };

  function headersOf(
    operation: Operation,
    status: string,
    schemas: OperationResponse,
    { headers }: OperationResponse,
  ) {
    const sent = headers.map((header, index): [string, unknown] => {
      const { schema } = schemas.headers[index] ?? header;
      const { name, style } = header;
      const given = exampleOf(contract, header) ?? referenceFor(name, status, operation);
      if (given !== null && context().isValid(schema, given)) return [name, given];
      const isText = given !== null && context().acceptsHeader(schema, String(given), style);
      return [name, isText ? String(given) : values().header(schema, style, [operation.id, name])];
    });
    return Object.fromEntries(sent.filter(([name]) => isSentByMock(name)));
  }

  /** Returns a reference that clients can follow, relative to the URL of the request: to an item, or to that URL. */
  function referenceFor(header: string, status: string, { path }: Operation): string | null {
    const last = path.slice(path.lastIndexOf('/') + 1);
    if (!/^((content-)?location|link)$/i.test(header) || !status.startsWith('2') || /^$|}$/.test(last))
      return null;
    const item = contract.operations.find(
      (each) => each.path.startsWith(`${path}/{`) && /^\/[^/]+}$/.test(each.path.slice(path.length)),
    );
    const parameter = item?.parameters.find(({ name }) => item.path.endsWith(`{${name}}`));
    const id = parameter
      ? String(exampleOf(contract, parameter) ?? values().header(parameter.schema, 'simple', [path]))
      : '';
    const reference = status === '201' && id !== '' ? `${last}/${encodeURIComponent(id)}` : last;
    return /^link$/i.test(header) ? `<${reference}>; rel="self"` : reference;
  }

  function contentExamples(
    operation: TestedOperation,
    content: Content,
    { schema }: Content,
    status: string,
  ): ContentExamples {
    const { mediaType } = content;
    const examples = content.examples.map(({ name, value }) => ({
      name,
      value: writable(context(), { mediaType, schema }, value),
    }));
    // Every request gets the same body.
    const generated = (): ExampleBody => {
      try {
        const isSuccess =
          status === 'default' && !Object.keys(operation.responses).some((key) => /^2/.test(key));
        const made = isSuccess ? undefined : errorFor(context(), schema, status);
        const body = made ?? values().body(schema, [String(seed), operation.id, statusOf(status)]);
        return generatedBody(context(), { mediaType, schema }, withSchemaExamples(context(), schema, body));
      } catch (error) {
        return { missing: errorMessage(error) };
      }
    };
    const usual = examples.find(
      ({ value }) => value !== undefined && isUsable(context(), content, schema, value),
    );
    const facts =
      /^(2|default)/.test(status) && includesJson(mediaType)
        ? exampleFactsOf(context(), operation, schema)
        : undefined;
    const named = examples.map(({ name, value }) => ({
      name,
      value,
      index: add(exampleBody(content, value)),
    }));
    const hasVariants = facts !== undefined && Object.keys(facts.ids).length > 0;
    const variants = named
      .filter(({ value }) => hasVariants && isUsable(context(), content, schema, value))
      .map(({ index }) => index);
    return {
      mediaType,
      usual: add(usual ? exampleBody(content, usual.value) : generated()),
      named: Object.fromEntries(named.map(({ name, index }) => [name, index])),
      ...(facts ? { facts: { ...facts, ...(variants.length > 0 ? { variants } : {}) } } : {}),
    };
  }

  return {
    bodies,
    operationOf,
    values,
    operations: Object.fromEntries(
      contract.operations.map((operation) => {
        const examples = once(() => read(operation));
        return [
          operation.id,
          {
            locations: {},
            get examples() {
              return examples();
            },
          },
        ];
      }),
    ),
  };
}

/** Returns the body of an error as the service makes it; undefined if the status is no error, or if it does not conform. */
function errorFor(context: SchemaContext, schema: Content['schema'], key: string): object | undefined {
  const status = key === 'default' ? 500 : statusOf(key);
  const resolve = (given: unknown): JsonObject => {
    const { $ref } = objectOf(given);
    return typeof $ref === 'string' ? resolve(context.resolve($ref)) : objectOf(given);
  };
  const text = { status, message: statusPhrase(status), errorName: 'error' };
  const made = status < 400 ? undefined : createErrorBody(schema, text, resolve);
  return isObject(made) && Object.keys(made).length > 0 && context.isValid(schema, made) ? made : undefined;
}

/** The pipeline sets the others. */
const isSentByMock = (name: string): boolean =>
  !isMessageHeader(name) && name.toLowerCase() !== 'x-request-id';

/** Whether an example conforms to its schema. Integers beyond 2^53 have lost their last digits when they were read. */
const isUsable = (
  context: SchemaContext,
  { mediaType }: Content,
  schema: Content['schema'],
  value: unknown,
): boolean =>
  (typeof value === 'string' && !includesJson(mediaType)) ||
  (context.isValid(schema, value) && !hasRoundedInteger(value));

function hasRoundedInteger(body: unknown): boolean {
  if (typeof body === 'object' && body !== null) return Object.values(body).some(hasRoundedInteger);
  return Number.isInteger(body) && !Number.isSafeInteger(body);
}

/** Returns events of a stream (HTML, section 9.2.6): without `data:`, or a blank line after it, clients ignore a text. */
function asEvent(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  const lines = text.trimEnd().split(/\r\n?|\n/);
  const isEvent = lines.some((line) => line.startsWith('data:'));
  return `${lines.map((line) => (isEvent ? line : `data: ${line}`)).join('\n')}\n\n`;
}

/** Returns a body with a concrete type. The pipeline sends strings unserialized, so they are not labeled as JSON. */
function exampleBody({ mediaType }: Pick<Content, 'mediaType'>, body: unknown) {
  if (/^text\/event-stream\b/i.test(mediaType)) return { body: asEvent(body), mediaType };
  if (/^multipart\//i.test(mediaType) && isObject(body))
    return { body: multipartText(body), mediaType: contentTypeOf(concrete(mediaType)) };
  const isText = typeof body === 'string' && !isJson(mediaType) && includesJson(mediaType);
  const type = isText ? textTypeIn(mediaType) : concrete(mediaType);
  return { body, mediaType: type };
}

const textTypeIn = (range: string): string => (range === '*/*' ? 'text/plain' : 'application/octet-stream');

type Written = Pick<Content, 'mediaType' | 'schema'>;

/** Returns an example as it is sent: without write-only properties, and as XML where that is the type. */
function writable(context: SchemaContext, { mediaType, schema }: Written, value: unknown): unknown {
  const isWritten = typeof value === 'string' && !includesJson(mediaType);
  const allowed = isWritten ? value : withoutForbidden(context, [schema], value);
  return isXml(mediaType) && !isWritten ? xmlOf(context, schema, allowed) : allowed;
}

/** Returns a generated body with a concrete type, which the pipeline writes unless it is XML or text. */
export function generatedBody(context: SchemaContext, { mediaType, schema }: Written, value: unknown) {
  const isWritten = typeof value === 'string' && value.startsWith('<');
  if (isXml(mediaType) && !isWritten) return exampleBody({ mediaType }, xmlOf(context, schema, value));
  return exampleBody({ mediaType }, value);
}

/** Returns the example of a header or parameter; null if it has none. */
function exampleOf(
  { follow }: Contract,
  { examples: [first], schema }: Pick<ResponseHeader, 'examples' | 'schema'>,
): unknown {
  if (first) return first.value;
  const { example, examples, default: usual, const: only } = follow(schema).node;
  return example ?? (Array.isArray(examples) ? examples[0] : undefined) ?? usual ?? only ?? null;
}
