/**
 * What validator.ts judges with: the classes of express-openapi-validator over a prepared contract. Beside that file this
 * one alone reaches into its `dist` folder, and keeps it from work at the start that nobody has asked for.
 */
import {
  OpenApiSpecLoader,
  type Spec,
} from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import { formats } from '../../lib/formats.ts';
import type { ContractDocument } from '../operation.ts';
import { nodeAt } from './read-operations.ts';

const validatorOptions = {
  validateRequests: { allErrors: true },
  validateResponses: { allErrors: true },
  validateSecurity: false,
  // The linter has judged the document itself.
  validateApiSpec: false,
  formats,
} as const;

export type Route = Spec['routes'][number];

/** A prepared contract and the validators over it. */
export interface CompiledValidators {
  spec: Spec;
  /** Names everything that is wrong. */
  requests: RequestValidator;
  /** Stops at the first thing that is wrong. */
  quickRequests: () => RequestValidator;
  responses: ResponseValidator;
  answersDocument: Spec['apiDoc'];
}

/**
 * Makes the classes over a copy of a document.
 * @throws Error where the document cannot be read
 */
export async function compileValidators(document: ContractDocument): Promise<CompiledValidators> {
  const apiDoc: Spec['apiDoc'] = JSON.parse(JSON.stringify(document));
  const { options, ajvOpts } = new OpenApiValidator({
    ...freshOptions(),
    apiSpec: apiDoc,
  });
  const spec = await specOf(apiDoc);
  const responseOptions = options.validateResponses;
  if (typeof responseOptions !== 'object') throw new Error('The check of answers is off.');
  // The linter has judged the schemas: nobody holds them against the schema of schemas here.
  const requestOptions = { ...ajvOpts.request, meta: false };
  const preprocessor = new SchemaPreprocessor(
    spec.apiDoc,
    { ...ajvOpts.preprocessor, meta: false },
    responseOptions,
  );
  // Ajv would compile each schema in order to say where it is: a tenth of the start.
  preprocessor['ajv'].getSchema = (reference: string) => ({ schema: nodeAt(spec.apiDoc, reference) });
  const { apiDocRes } = preprocessor.preProcess();
  return {
    spec,
    requests: new RequestValidator(spec.apiDoc, requestOptions),
    quickRequests: memoize(() => new RequestValidator(spec.apiDoc, { ...requestOptions, allErrors: false })),
    responses: new ResponseValidator(
      apiDocRes,
      { ...ajvOpts.response, meta: false },
      responseOptions,
      spec.serial,
    ),
    answersDocument: apiDocRes,
  };
}

/**
 * The routes of a document. Before it looks for them the class would gather references to other files, which a bundled
 * document has none of, and compile OpenAPI's own schema, whether it is asked to use it or not: a sixth of the start.
 */
function specOf(apiDoc: Spec['apiDoc']): Promise<Spec> {
  const loader = new OpenApiSpecLoader({ apiDoc, validateApiSpec: false });
  const framework = loader['framework'];
  framework.initialize = async (visitor: { visitApi?: (about: object) => void }) => {
    const servers: { all: () => string[] }[] = framework['getBasePathsFromServers'](apiDoc.servers);
    const basePaths = [...new Set(servers.flatMap((server) => server.all()))];
    visitor.visitApi?.({ basePaths, getApiDoc: () => apiDoc });
    return { apiDoc, basePaths };
  };
  return loader.load();
}

/** The options that make the stock middleware judge as we do. New ones each time: it writes into them. */
export const freshOptions = () => ({
  ...validatorOptions,
  validateRequests: { ...validatorOptions.validateRequests },
  validateResponses: { ...validatorOptions.validateResponses },
  formats: { ...formats },
});

/** Makes something when it is asked for the first time. */
export function memoize<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
