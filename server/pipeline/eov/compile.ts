/**
 * Creates the validators of express-openapi-validator that validator.ts calls. It imports their classes from the
 * package's `dist` folder, and skips work that startup does not need.
 */

import type { AnySchema, ValidateFunction } from 'ajv';
import {
  OpenApiSpecLoader,
  type Spec,
} from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import { useSafeKeywords } from '../../lib/create-ajv.ts';
import { formats } from '../../lib/formats.ts';
import { defineOwn } from '../../lib/own-property.ts';
import { basePathsOf } from '../base-paths.ts';
import { nodeOf } from '../document-node.ts';
import type { ContractDocument } from '../operation.ts';
import { discriminatorValidator } from './discriminator-validator.ts';
import { prepareDocument } from './prepare-document.ts';
import { nodeAt } from './read-operations.ts';

const validatorOptions = {
  validateRequests: { allErrors: true },
  validateResponses: { allErrors: true },
  validateSecurity: false,
  // The linter validates the document.
  validateApiSpec: false,
  formats,
} as const;

export type Route = Spec['routes'][number];

/** A prepared contract and its validators. */
export interface CompiledValidators {
  spec: Spec;
  /** Reports all errors. */
  requests: RequestValidator;
  /** Stops at the first error. */
  quickRequests: () => RequestValidator;
  responses: ResponseValidator;
  /** Stops at the first error. */
  quickResponses: () => ResponseValidator;
  responseDocument: Spec['apiDoc'];
  /** Validators of response headers, keyed by their schema as JSON, because many responses share the same headers. */
  headerValidators: Map<string, ValidateFunction>;
}

/**
 * Creates the validators for a copy of a document.
 * @throws Error if the document cannot be read
 */
export async function compileValidators(document: ContractDocument): Promise<CompiledValidators> {
  const apiDoc = prepareDocument(document) as Spec['apiDoc'];
  const { options, ajvOpts } = new OpenApiValidator({
    ...freshOptions(),
    apiSpec: apiDoc,
  });
  const spec = await specOf(apiDoc);
  const responseOptions = options.validateResponses;
  if (typeof responseOptions !== 'object') throw new Error('Response validation is off.');
  // The linter validates the schemas, so they are not validated against the meta-schema here. Without a logger, Ajv
  // does not warn about unknown formats on the console.
  const shared = { meta: false, logger: false } as const;
  const requestOptions = { ...ajvOpts.request, ...shared };
  const preprocessor = new SchemaPreprocessor(
    spec.apiDoc,
    { ...ajvOpts.preprocessor, ...shared },
    responseOptions,
  );
  useSafeKeywords(preprocessor['ajv']);
  // Ajv's own `getSchema` would compile each schema, which takes 10 % of the startup time.
  preprocessor['ajv'].getSchema = (reference: string) => ({ schema: nodeAt(spec.apiDoc, reference) });
  // `preProcess` sets a copy of the document for responses, which lacks properties with the name `__proto__`.
  let copy: unknown;
  Object.defineProperty(preprocessor, 'apiDocRes', {
    get: () => copy,
    set: () => {
      copy = structuredClone(spec.apiDoc);
    },
  });
  const { apiDocRes } = preprocessor.preProcess();
  const responsesWith = (changes: { allErrors?: false }) =>
    createResponseValidator(
      apiDocRes,
      { ...ajvOpts.response, ...shared, ...changes },
      responseOptions,
      spec.serial,
    );
  return {
    spec,
    requests: createRequestValidator(spec.apiDoc, requestOptions),
    quickRequests: memoize(() =>
      createRequestValidator(spec.apiDoc, { ...requestOptions, allErrors: false }),
    ),
    responses: responsesWith({}),
    quickResponses: memoize(() => responsesWith({ allErrors: false })),
    responseDocument: apiDocRes,
    headerValidators: new Map(),
  };
}

function createRequestValidator(
  ...[apiDoc, options]: ConstructorParameters<typeof RequestValidator>
): RequestValidator {
  const validator = new RequestValidator(apiDoc, options);
  for (const ajv of [validator['ajv'], validator['ajvBody']]) useSafeKeywords(ajv);
  const ajv = validator['ajv'];
  const addSchema = ajv.addSchema.bind(ajv);
  ajv.addSchema = (schema: AnySchema | AnySchema[], key?: string) =>
    addSchema(withOwnParameters(schema), key);
  Object.assign(validator, { discriminatorValidator, apiDoc: withHiddenParts(apiDoc) });
  return validator;
}

/** Repairs a schema of `RequestValidator`, which makes the schema of a parameter `__proto__` a prototype. */
function withOwnParameters(schema: AnySchema | AnySchema[]): AnySchema | AnySchema[] {
  const parts = Object.values(nodeOf(nodeOf(schema).properties));
  for (const properties of parts.map((part) => nodeOf(nodeOf(part).properties))) {
    const parameter: unknown = Object.getPrototypeOf(properties);
    if (parameter === Object.prototype || parameter === null) continue;
    Object.setPrototypeOf(properties, Object.prototype);
    defineOwn(properties, '__proto__', parameter);
  }
  return schema;
}

function createResponseValidator(
  ...[apiDoc, ...options]: ConstructorParameters<typeof ResponseValidator>
): ResponseValidator {
  const validator = new ResponseValidator(apiDoc, ...options);
  useSafeKeywords(validator['ajvBody']);
  Object.assign(validator, { spec: withHiddenParts(apiDoc) });
  return validator;
}

/**
 * Returns a copy of a document whose paths and components can be read by name but not enumerated. Each schema that the
 * validators compile contains both, so that its references resolve. Ajv searches a schema for identifiers before it
 * compiles it, and would search the whole document for each operation.
 */
const withHiddenParts = (apiDoc: Spec['apiDoc']) => ({
  ...apiDoc,
  paths: hide(apiDoc.paths ?? {}),
  ...(apiDoc.components && { components: hide(apiDoc.components) }),
});

const hide = <Part extends object>(part: Part): Part =>
  Object.defineProperties(
    { ...part },
    Object.fromEntries(Object.keys(part).map((key) => [key, { enumerable: false }])),
  );

/**
 * Reads the routes of a document. By itself, `OpenApiSpecLoader` would first resolve external files, which a bundled
 * document does not have, and compile the schema of OpenAPI itself, which takes 17 % of the startup time.
 */
function specOf(apiDoc: Spec['apiDoc']): Promise<Spec> {
  const loader = new OpenApiSpecLoader({ apiDoc, validateApiSpec: false });
  loader['framework'].initialize = async (visitor: { visitApi?: (about: object) => void }) => {
    const basePaths = basePathsOf(apiDoc.servers);
    visitor.visitApi?.({ basePaths, getApiDoc: () => apiDoc });
    return { apiDoc, basePaths };
  };
  return loader.load();
}

/**
 * Returns options that make the stock middleware validate as this pipeline does. The middleware modifies them, so each
 * caller gets a new object.
 */
export const freshOptions = () => ({
  ...validatorOptions,
  validateRequests: { ...validatorOptions.validateRequests },
  validateResponses: { ...validatorOptions.validateResponses },
  formats: { ...formats },
});

/** Returns a function that creates an object on its first call, and then always returns that object. */
export function memoize<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
