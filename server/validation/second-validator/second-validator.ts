import { PipelineError } from '../../contract/errors.ts';
import type {
  HandlerResponse,
  RequestHead,
  ValidatedInput,
  ValidatedResponse,
} from '../../contract/exchange.ts';
import { parseMediaType } from '../../contract/media-type.ts';
import { compiledValidation, type MessageValidation } from '../../contract/message-validation.ts';
import type { CompiledOperation, ContractDocument } from '../../contract/operation.ts';
import {
  documentedStatus,
  type MakeEntityTag,
  ResponseValidationError,
  serializeResponse,
} from '../../contract/validate-response.ts';
import { describeFieldErrors } from '../../lib/field-error.ts';
import { ownOf } from '../../lib/own-property.ts';
import { defectOf } from './known-defects.ts';
import type { StockAccepted, StockValidator } from './stock-middleware.ts';
import { locationOf, StockRefusal } from './stock-refusal.ts';

/** The validators of a service: the compiled contract, express-openapi-validator behind it, or only the latter. */
export const validators = ['ours', 'both', 'stock'] as const;
export type Validators = (typeof validators)[number];

/** A message that the compiled contract accepts and the stock middleware refuses. It has no values of the message. */
export interface Difference {
  operation: string;
  message: 'request' | 'response';
  ours: 'accepts';
  stock: 'refuses';
  violations: readonly { location: string; keyword: string }[];
  /** The known defect of the stock middleware that explains the difference. If there is one, the message is accepted. */
  defect: string | undefined;
}

export interface SecondValidatorOptions {
  validators: Exclude<Validators, 'ours'>;
  /** The bundled contract. */
  document: ContractDocument;
  onDifference: (difference: Difference) => void;
}

/** Violations of one message that are reported: a body of 1 MB can have thousands. */
const maxReported = 20;

/** Creates the validation of a pipeline. `load` loads the stock middleware; otherwise the first request does. */
export function createSecondValidator({ validators: mode, document, onDifference }: SecondValidatorOptions): {
  load: () => Promise<StockValidator>;
  validation: MessageValidation;
} {
  let loaded: Promise<StockValidator> | undefined;
  const load = () => {
    loaded ??= import('./stock-middleware.ts').then((module) => module.createStockValidator(document));
    return loaded;
  };
  const accepted = new WeakMap<RequestHead, StockAccepted>();

  /** Reports a difference. @returns whether the message is refused */
  const isRefused = (
    operation: CompiledOperation,
    message: Difference['message'],
    { violations }: StockRefusal,
  ): boolean => {
    if (mode === 'stock') return true;
    const defect = defectOf(violations)?.name;
    onDifference({
      operation: operation.id,
      message,
      ours: 'accepts',
      stock: 'refuses',
      violations: violations.slice(0, maxReported).map(({ path, keyword = 'none' }) => ({
        location: locationOf(operation, path),
        keyword,
      })),
      defect,
    });
    return defect === undefined;
  };

  const validation: MessageValidation = {
    async validateRequest(operation, req, path, body) {
      // Our validation fills in defaults.
      const copy = structuredClone(body.body);
      const input =
        mode === 'both' ? await compiledValidation.validateRequest(operation, req, path, body) : undefined;
      const validate = await load();
      try {
        const found = await validate(headFor(operation, req), copy);
        accepted.set(req, found);
        return input ?? inputOf(operation, found);
      } catch (error) {
        if (!(error instanceof StockRefusal) || error.status >= 500) throw error;
        if (input && !isRefused(operation, 'request', error)) return input;
        throw new PipelineError(
          error.status === 415 ? 'unsupportedMediaType' : 'validationFailed',
          describeFieldErrors(
            error.violations.map(({ path: at, message }) => ({ field: locationOf(operation, at), message })),
          ),
        );
      }
    },
    validateResponse(operation, response, supplied, entityTag, req) {
      const sent =
        mode === 'both'
          ? compiledValidation.validateResponse(operation, response, supplied, entityTag, req)
          : withEntityTag(operation, response, serializeResponse(response, supplied), entityTag);
      try {
        accepted.get(req)?.validateResponse(sent);
      } catch (error) {
        if (!(error instanceof StockRefusal)) throw error;
        if (isRefused(operation, 'response', error))
          throw new ResponseValidationError(
            error.violations
              .map(({ path, message }) => `${locationOf(operation, path)} ${message}`)
              .join('; '),
          );
      }
      return sent;
    },
  };
  return { load, validation };
}

/**
 * Returns a request with the media type of its body alone: the stock middleware keeps one validator for each value of
 * `Content-Type` that it has seen, so that clients could fill its memory.
 */
function headFor({ requestTypes }: CompiledOperation, req: RequestHead): RequestHead {
  const { 'content-type': given = '', ...others } = req.headers;
  const mediaType = requestTypes.length > 0 ? parseMediaType(given) : undefined;
  const headers = mediaType === undefined ? others : { ...others, 'content-type': mediaType };
  return { method: req.method, url: req.url, rawHeaders: req.rawHeaders, headers };
}

/** Returns the input of a handler from the values that the stock middleware passes to routes. */
const inputOf = (
  { parameters }: CompiledOperation,
  { path, query, headers, body }: StockAccepted,
): ValidatedInput => ({
  path,
  query,
  headers: Object.fromEntries(
    parameters.headers.flatMap(({ key }) => {
      const value = ownOf(headers, key);
      return value === undefined ? [] : [[key, value]];
    }),
  ),
  body,
});

/** Adds the documented ETag that a handler has not set, as our validation does. */
function withEntityTag(
  operation: CompiledOperation,
  { status, headers = {} }: HandlerResponse,
  sent: ValidatedResponse,
  entityTag: MakeEntityTag | undefined,
): ValidatedResponse {
  const documented = operation.responses[documentedStatus(operation.responses, status) ?? '']?.headers ?? [];
  const isMissing = !Object.keys(headers).some((name) => name.toLowerCase() === 'etag');
  if (
    entityTag &&
    isMissing &&
    typeof sent.payload === 'string' &&
    documented.some(({ name }) => name === 'etag')
  )
    sent.headers.ETag = entityTag(sent.payload);
  return sent;
}
