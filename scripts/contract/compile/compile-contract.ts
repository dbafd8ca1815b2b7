import { createHash } from 'node:crypto';
import {
  type BodyPlan,
  type CompiledContract,
  contractFormat,
  type HeaderPlan,
  type KnownScheme,
  type OperationPlan,
  type ResponsePlan,
  type SecurityScheme,
} from '../../../server/contract/compiled-contract.ts';
import type { DefaultsPlan } from '../../../server/contract/defaults.ts';
import { bodyFormatOf, isOpaque } from '../../../server/contract/media-type.ts';
import { foldTemplate } from '../../../server/contract/path-tree.ts';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { type JsonObject, objectOf } from '../../../server/lib/json-object.ts';
import { unescapePointer } from '../../../server/lib/json-text.ts';
import { countWorkWith } from '../../../server/lib/work-limit.ts';
import { knownFormats } from '../../lib/known-formats.ts';
import { oncePer } from '../../lib/once.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { type Contract, createContract } from '../model/contract.ts';
import { disabledOperationsOf, refusedPathsOf } from '../model/disabled-operations.ts';
import type { Content, Operation, OperationResponse } from '../model/operation.ts';
import { isMessageHeader } from '../model/read-parameters.ts';
import { defaultsOf } from './defaults-of.ts';
import { reachOf, schemaAt, targetPointer } from './document-pointers.ts';
import { mayBeForm, planForm } from './plan-form.ts';
import { planOfParameters, planParameters, withNames } from './plan-parameters.ts';
import { createSchemaCopies, type Direction, type SchemaCopies } from './schema-copies.ts';
import { createSchemaFunctions, type SchemaFunctions } from './schema-functions.ts';
import { shapeOf } from './shape-of.ts';
import { isUnread } from './unread-body.ts';

/** A contract compiled in memory, with what is needed to emit it as source code. */
export interface ContractInMemory extends CompiledContract {
  functions: SchemaFunctions;
}

const compiled = new WeakMap<object, ContractInMemory>();

/**
 * Compiles a contract in memory, once per document. Its schemas become functions when the first message needs them.
 * @param document a bundled OpenAPI 3.1 document, which must not change afterwards
 * Operations that cannot be compiled are disabled: their requests are refused.
 * @throws Error if a webhook cannot be compiled, naming it
 * @example
 * const middleware = createPipeline({ contract: compileContract((await loadContract('openapi.yaml')).document), … });
 */
export function compileContract(document: OpenApiDocument): ContractInMemory {
  const known = compiled.get(document);
  if (known) return known;
  const made = compile(createContract(document));
  compiled.set(document, made);
  return made;
}

/** The parts of a compilation that its plans share. */
interface Compiling {
  contract: Contract;
  copies: SchemaCopies;
  /** Returns the defaults inside a body. @param pointer that of its schema */
  defaultsAt: (pointer: string) => DefaultsPlan | undefined;
}

function compile(contract: Contract): ContractInMemory {
  const { document } = contract;
  const copies = createSchemaCopies(document);
  const compiling: Compiling = { contract, copies, defaultsAt: createDefaults(contract) };
  const enforced = contract.operations.flatMap((operation) =>
    naming(operation, () => planOrDisable(compiling, operation)),
  );
  const operations = [...enforced, ...plansOfDisabled(document, enforced)];
  const components = planComponents(compiling);
  const functions = createSchemaFunctions(copies);
  return {
    format: contractFormat,
    hash: createHash('sha256').update(JSON.stringify(document)).digest('hex'),
    operations,
    components,
    securitySchemes: readSecuritySchemes(contract),
    schemas: copies.all,
    formats: knownFormats,
    deciderOf: functions.deciderOf,
    countWorkWith,
    functions,
  };
}

/** Returns the named schemas that messages of operations and webhooks use. Properties are those of responses and events. */
function planComponents({ contract, copies }: Compiling): Record<string, string> {
  for (const webhook of contract.webhooks) naming(webhook, () => copyEvents(copies, webhook));
  return Object.fromEntries(
    [...copies.namesIn('response')].flatMap(([pointer, copy]) => {
      const [, name] = /^\/components\/schemas\/([^/]+)$/.exec(pointer) ?? [];
      return name === undefined ? [] : [[unescapePointer(name), copy]];
    }),
  );
}

/** Copies the schemas of the events of a webhook: those in its body, and those that its parameters carry as text. */
function copyEvents(copies: SchemaCopies, { body, parameters }: Operation): void {
  for (const { mediaType, schemaPointer } of body?.content ?? [])
    if (schemaPointer !== undefined && !isOpaque(mediaType)) copies.nameOf(schemaPointer, 'response');
  for (const { schema, schemaPointer } of parameters)
    if (schemaPointer !== undefined && objectOf(schema).contentSchema !== undefined)
      copies.nameOf(`${schemaPointer}/contentSchema`, 'response');
}

/** Creates a function that returns the defaults inside a body, once per schema. */
function createDefaults({ document, resolve }: Contract): Compiling['defaultsAt'] {
  const reached = reachOf(document, (node) => 'default' in node);
  const defaultsIn = oncePer((target: string) => defaultsOf(schemaAt(document, target), resolve));
  return (pointer) => {
    const target = targetPointer(document, pointer);
    return reached.has(target) ? defaultsIn(target) : undefined;
  };
}

/** Adds the name of an operation to an error. */
function naming<Result>({ id }: Operation, run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    throw new Error(`The operation ${id} cannot be compiled: ${errorMessage(cause)}`, { cause });
  }
}

/** Returns the plans of an operation. If its messages cannot be validated, they refuse all requests. */
function planOrDisable(compiling: Compiling, operation: Operation): OperationPlan[] {
  try {
    return planOperation(compiling, operation);
  } catch (error) {
    const { id, method, path, security, basePaths } = operation;
    return basePaths.map((basePath) => ({
      ...{ ...refusingPlan, id, method, security, disabled: errorMessage(error) },
      ...{ basePath, path: basePath + path },
    }));
  }
}

const refusingPlan = {
  deprecationHeaders: {},
  parameters: planParameters([], () => undefined),
  responses: {},
};

/** Returns the plans of the operations that were taken out of the document. A path that can be enforced has precedence. */
function plansOfDisabled(document: OpenApiDocument, enforced: readonly OperationPlan[]): OperationPlan[] {
  const shapeOfPath = ({ method, path }: Pick<OperationPlan, 'method' | 'path'>) =>
    `${method} ${foldTemplate(path)}`;
  const known = new Set(enforced.map(shapeOfPath));
  return disabledOperationsOf(document).flatMap((operation) => {
    const { method, path: template, reason: disabled } = operation;
    const id = `${method.toUpperCase()} ${template}`;
    return refusedPathsOf(document, operation)
      .filter(({ path }) => !known.has(shapeOfPath({ method, path })))
      .map((paths) => ({ ...refusingPlan, ...{ id, method, security: [], disabled }, ...paths }));
  });
}

/** @returns one plan per base path */
function planOperation(compiling: Compiling, operation: Operation): OperationPlan[] {
  const { id, method, path, basePaths, security, body, responses, node } = operation;
  const plan = {
    ...{ id, method, security },
    deprecationHeaders: deprecationHeaders(node),
    parameters: planOfParameters(compiling.contract, compiling.copies, operation),
    ...(body
      ? { body: { required: body.required, content: contentOf(compiling, body.content, 'request') } }
      : {}),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        planResponse(compiling, status, response),
      ]),
    ),
  };
  return basePaths.map((basePath) => ({ ...plan, basePath, path: basePath + path }));
}

const planResponse = (
  compiling: Compiling,
  status: string,
  { content, headers }: OperationResponse,
): ResponsePlan => ({
  // Only errors are responded to without a handler.
  content: contentOf(compiling, content, 'response', !/^[123]/.test(status)),
  headers: headers.map(({ name, required, schemaPointer, style }): HeaderPlan => {
    const { contract, copies } = compiling;
    return {
      name: name.toLowerCase(),
      required: required && !isMessageHeader(name),
      style,
      ...(schemaPointer === undefined
        ? {}
        : {
            schema: copies.nameOf(schemaPointer, 'response'),
            shape: withNames(
              shapeOf(schemaAt(contract.document, schemaPointer), schemaPointer, contract.resolve),
              contract.document,
              copies,
              'response',
            ),
          }),
    };
  }),
});

/** Returns how the text of a body becomes a value. */
function planText(content: Content, direction: Direction, resolve: Contract['resolve']): Partial<BodyPlan> {
  const { mediaType, schema, schemaPointer } = content;
  const isForm = direction === 'request' ? mayBeForm(mediaType) : bodyFormatOf(mediaType) === 'form';
  if (isForm) return { form: planForm(content, resolve) };
  if (schemaPointer === undefined || bodyFormatOf(mediaType) !== 'text') return {};
  const shape = shapeOf(schema, schemaPointer, resolve);
  return shape.kind === 'scalar' && shape.types.some((type) => type !== 'string') ? { text: shape } : {};
}

function contentOf(
  { contract, copies, defaultsAt }: Compiling,
  content: readonly Content[],
  direction: Direction,
  hasExamples = false,
): Record<string, BodyPlan> {
  return Object.fromEntries(
    content.map((each) => {
      const { mediaType, schemaPointer, examples } = each;
      const pointer = isUnread(each, contract.resolve) ? undefined : schemaPointer;
      const defaults = direction === 'request' && pointer !== undefined ? defaultsAt(pointer) : undefined;
      return [
        mediaType,
        {
          ...(pointer === undefined ? {} : { schema: copies.nameOf(pointer, direction) }),
          ...(defaults === undefined ? {} : { defaults }),
          ...withNames(planText(each, direction, contract.resolve), contract.document, copies, direction),
          ...(hasExamples && examples.length > 0 ? { examples: examples.map(({ value }) => value) } : {}),
        },
      ];
    }),
  );
}

/** Returns the security schemes of a contract by name. */
function readSecuritySchemes({ document, follow }: Contract): Record<string, KnownScheme> {
  const schemes = objectOf(document.components?.securitySchemes);
  return Object.fromEntries(
    Object.entries(schemes).map(([name, given]) => [name, schemeOf(follow(given).node) ?? { in: 'unknown' }]),
  );
}

function schemeOf({ type, name, in: location, scheme }: Record<string, unknown>): SecurityScheme | undefined {
  if (type === 'mutualTLS') return { in: 'connection' };
  // Access tokens of OAuth 2.0 are bearer tokens (RFC 6750), or bound to a key (RFC 9449).
  if (type === 'oauth2' || type === 'openIdConnect')
    return { in: 'authorization', scheme: 'bearer|dpop', challenge: 'Bearer' };
  if (type === 'http' && typeof scheme === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(scheme))
    return {
      in: 'authorization',
      scheme: scheme.replaceAll(/[^\w]/g, '\\$&'),
      challenge: scheme.replace(/^./, (letter) => letter.toUpperCase()),
    };
  if (type !== 'apiKey' || typeof name !== 'string' || name === '') return undefined;
  return location === 'header' || location === 'query' || location === 'cookie'
    ? { in: location, name: location === 'header' ? name.toLowerCase() : name }
    : undefined;
}

/** Parses a date such as `2027-01-31` as midnight UTC. */
function dayFrom(text: unknown): Date | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? undefined : day;
}

/**
 * Returns the headers of a deprecated operation: Deprecation (RFC 9745) and Sunset (RFC 8594). Empty if it is not
 * deprecated.
 */
function deprecationHeaders(operation: JsonObject): Record<string, string> {
  if (operation.deprecated !== true) return {};
  const [since, sunset] = [dayFrom(operation['x-deprecated-since']), dayFrom(operation['x-sunset'])];
  return {
    // A structured field value of type Date (RFC 9651, section 3.3.7): `@` and the seconds since 1970.
    ...(since ? { Deprecation: `@${since.getTime() / 1_000}` } : {}),
    ...(sunset ? { Sunset: sunset.toUTCString() } : {}),
  };
}
