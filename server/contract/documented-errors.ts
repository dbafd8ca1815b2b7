import { objectOf } from '../lib/json-object.ts';
import { type BodyPlan, schemaOf } from './compiled-contract.ts';
import { createErrorBody } from './error-body.ts';
import {
  type ErrorDetails,
  type ErrorFormat,
  type ErrorKind,
  type ErrorResponse,
  listedErrors,
} from './errors.ts';
import { isJson } from './media-type.ts';
import type { CompiledOperation } from './operation.ts';
import { statusPhrase } from './status-phrase.ts';
import { documentedStatus } from './validate-response.ts';

/**
 * For each kind of error: its status codes in order of preference, the status if none of them is documented (default: the
 * first), and its default message.
 */
const kinds: Record<ErrorKind, { statuses: readonly number[]; otherwise?: number; message: string }> = {
  malformedRequest: { statuses: [400, 422], message: 'The request cannot be parsed.' },
  tokenMissing: {
    statuses: [401, 403],
    message: 'The request has no credentials that this operation accepts.',
  },
  tokenUnknown: { statuses: [401, 403], message: 'The credentials are not valid.' },
  scopeMissing: { statuses: [403, 401], message: 'The credentials do not permit this operation.' },
  notFound: { statuses: [404, 400], message: 'The resource does not exist.' },
  pathNotFound: { statuses: [404], message: 'The path does not exist.' },
  methodNotAllowed: { statuses: [405], message: 'The path does not support this method.' },
  bodyTooLarge: { statuses: [413, 400], message: 'The body is too large.' },
  unsupportedMediaType: { statuses: [415, 400], message: 'The media type of the body is not supported.' },
  validationFailed: {
    statuses: [422, 400],
    // Clients know 400 as a request that is wrong; 422 is one that an API has chosen.
    otherwise: 400,
    message: 'The request does not conform to the contract.',
  },
  internalError: { statuses: [500], message: 'An internal error occurred.' },
  invalidResponse: { statuses: [500], message: 'The response did not conform to the contract.' },
  unavailable: { statuses: [503, 500], message: 'The service is not available. Retry later.' },
};

const problemType = 'application/problem+json';

/**
 * The error format for a contract without errors of its own. An error gets the status, the media type and the schema that
 * the operation documents for it, or else a problem document (RFC 9457).
 */
export const documentedErrors: ErrorFormat = {
  respond(...given) {
    const { response, documented } = withDocumentedStatus(...given);
    const content = documented && documentedContent(documented, response);
    return content ? { ...response, content } : response;
  },
  body: problemOf,
  mediaType: problemType,
};

/**
 * Completes an error format. With `body` alone, each error has the status and the JSON media type that the operation documents.
 * @param given parts of a format
 */
export function errorFormatOf({ respond, body: given, mediaType }: Partial<ErrorFormat> = {}): ErrorFormat {
  const body =
    given && ((response: ErrorResponse) => given({ ...response, violations: listedErrors(response) }));
  if (!body || respond)
    return {
      respond: respond ?? documentedErrors.respond,
      body: body ?? problemOf,
      mediaType: mediaType ?? (body ? 'application/json' : problemType),
    };
  return {
    body,
    respond(...about) {
      const { response, documented } = withDocumentedStatus(...about);
      const type = documented && errorTypeOf(documented);
      const jsonType = type !== undefined && isJson(type) ? type : 'application/json';
      return { ...response, content: { mediaType: mediaType ?? jsonType, body: body(response) } };
    },
  };
}

/** Returns the problem document of an error (RFC 9457, section 3). Its `errors` are those of the RFC's example. */
function problemOf(response: ErrorResponse): object {
  const { status, message } = response;
  const errors = listedErrors(response).map((each) => ({ detail: each.message, ...placeOf(each.field) }));
  const problem = { type: 'about:blank', title: statusPhrase(status), status, detail: message };
  return errors.length > 0 ? { ...problem, errors } : problem;
}

/** Returns a location as a JSON Pointer in a fragment (RFC 6901, section 6), if it is in the body. */
const placeOf = (field: string): { pointer: string } | { parameter: string } => {
  if (field !== 'body' && !field.startsWith('/')) return { parameter: field };
  const pointer = field === 'body' ? '' : field.replace(/\p{Surrogate}/gu, '\ufffd');
  return { pointer: `#${encodeURI(pointer).replaceAll('#', '%23')}` };
};

/** The documented response to an error, and the key of its status in `responses`. */
interface DocumentedError {
  operation: CompiledOperation;
  key: string;
}

/** Returns an error without its body, and the response that the operation documents for it, if there is one. */
function withDocumentedStatus(
  kind: ErrorKind,
  details?: ErrorDetails,
  operation?: CompiledOperation,
): { response: ErrorResponse; documented: DocumentedError | undefined } {
  const { statuses, otherwise = statuses[0] ?? 500, message } = kinds[kind];
  const responses = operation?.responses ?? {};
  // The first status with its own response, or else the other status, if its range or `default` has one.
  const status = statuses.find((each) => Object.hasOwn(responses, String(each))) ?? otherwise;
  const key = documentedStatus(responses, status);
  return {
    response: { errorName: kind, status, message, fields: '', headers: {}, ...details },
    documented: operation && key !== undefined ? { operation, key } : undefined,
  };
}

/** Whether bodies of a media type are problem documents (RFC 9457). */
const isProblem = (mediaType: string): boolean =>
  mediaType.split(';', 1)[0]?.trim().toLowerCase() === problemType;

/** Maximum number of `oneOf` and `anyOf` branches for which a body is generated and validated. */
const maxBranches = 4;

/** Returns the documented example; without an example, the message (in an `<error>` element for XML). */
function errorText(mediaType: string, message: string, examples: readonly unknown[]): string {
  if (mediaType.startsWith('text/plain')) return message;
  const example = examples.find((each) => typeof each === 'string');
  if (example !== undefined) return example;
  // Messages contain names of parameters that the client has chosen, which HTML would interpret.
  const escaped = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return /[/+]xml$/.test(mediaType) ? `<error>${escaped}</error>` : escaped;
}

/** Returns the media type that says most of an error; undefined if no body is documented. */
function errorTypeOf({ operation, key }: DocumentedError): string | undefined {
  const types = Object.keys(operation.responses[key]?.content ?? {});
  return (
    types.find(isProblem) ??
    types.find(isJson) ??
    types.find((type) => type.startsWith('text/plain')) ??
    types[0]
  );
}

/** Returns a body that conforms to the documented schema; undefined if none is documented or none can be generated. */
function documentedContent(given: DocumentedError, error: ErrorResponse): ErrorResponse['content'] {
  const { operation, key } = given;
  const mediaType = errorTypeOf(given);
  const documented = mediaType === undefined ? undefined : operation.responses[key]?.content[mediaType];
  if (mediaType === undefined || documented === undefined) return undefined;
  if (!isJson(mediaType))
    return { mediaType, body: errorText(mediaType, error.message, documented.examples ?? []) };
  // The first one is sent if none conforms.
  let first: unknown;
  for (const body of bodiesFor(error, isProblem(mediaType), documented, operation)) {
    first ??= body;
    if (operation.validateBody(key, mediaType, body).length === 0) return { mediaType, body };
  }
  return { mediaType, body: first };
}

/** Generates bodies that may conform to a schema, those that say most first, and then its examples. */
function* bodiesFor(
  error: ErrorResponse,
  asProblem: boolean,
  documented: BodyPlan,
  { resolve }: CompiledOperation,
): Generator<unknown> {
  const violations = asProblem ? [] : listedErrors(error);
  const made = (violations.length > 0 ? [violations, []] : [[]]).flatMap((listed) =>
    Array.from({ length: maxBranches }, (_, branch) => () => {
      const text = { ...error, isProblem: asProblem, violations: listed };
      return createErrorBody(schemaOf(documented), text, resolve, branch);
    }),
  );
  // Members that the schema does not describe are added to a problem document if it allows them.
  if (asProblem) for (const make of made) yield { ...problemOf(error), ...objectOf(make()) };
  for (const make of made) yield make();
  yield* documented.examples ?? [];
}
