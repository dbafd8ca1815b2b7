import { describeFieldErrors } from '../lib/field-error.ts';
import { InputLimitError } from '../lib/input-limit.ts';
import { findInvalidText } from '../lib/json-text.ts';
import { maxDepth } from '../lib/parse-json.ts';
import { parseQuery } from '../lib/query-string.ts';
import { withWorkLimit } from '../lib/work-limit.ts';
import { PipelineError } from './errors.ts';
import type { RequestHead, ValidatedInput } from './exchange.ts';
import { toFieldErrors } from './field-errors.ts';
import { isNestedDeeperThan } from './json-size.ts';
import { withFiles } from './multipart-form.ts';
import type { CompiledOperation, RequestParts, SchemaViolation } from './operation.ts';
import { duplicateHeaders, parseCookies, pickHeaders, removeUnparsableParameters } from './parameters.ts';
import type { ReadBody } from './parse-body.ts';

/**
 * Validates a request against its operation.
 * @param path the decoded path parameters
 * @returns the coerced parameters and body, with defaults filled in
 * @throws PipelineError naming every invalid location
 */
export function validateRequest(
  operation: CompiledOperation,
  req: RequestHead,
  path: Record<string, unknown>,
  { body, mediaType, isOpaque = false, files }: ReadBody,
): ValidatedInput {
  const url = req.url ?? '/';
  if (!isOpaque && isNestedDeeperThan(body, maxDepth))
    throw new PipelineError('validationFailed', {
      message: `The body is nested more than ${maxDepth} levels deep.`,
      fields: 'body',
    });
  const parts: RequestParts = {
    query: withinLimits(() => queryOf(url)),
    headers: pickHeaders(operation, req),
    params: { ...path },
    cookies: parseCookies(operation, req),
    // Opaque bytes are not validated.
    body: isOpaque ? undefined : body,
  };
  // Rejected parameters are removed, so that schema validation does not report them again.
  const problems = [
    ...removeUnparsableParameters(operation.parameterGroups.query, parts.query),
    ...removeUnparsableParameters(operation.parameterGroups.path, parts.params),
    ...duplicateHeaders(operation, req, parts.headers),
  ];
  if (operation.bodyRequired && mediaType === undefined)
    problems.push({ field: 'body', message: 'is required' });
  const findings = withinLimits(() => violationsOf(operation, parts, mediaType, url));
  if (files) parts.body = withFiles(parts.body, files);
  problems.push(
    ...toFieldErrors(operation, findings),
    ...findInvalidText(parts.query).map(({ field, message }) => ({ field: `query${field}`, message })),
    ...findInvalidText(parts.params).map(({ field, message }) => ({ field: `path${field}`, message })),
    ...findInvalidText(parts.body).map(({ field, message }) => ({ field: field || 'body', message })),
  );
  if (problems.length > 0) throw new PipelineError('validationFailed', describeFieldErrors(problems));
  return {
    path: parts.params,
    query: parts.query,
    headers: parts.headers,
    body: isOpaque ? body : parts.body,
  };
}

/**
 * @throws PipelineError if JSON in a parameter or a form is nested too deeply
 * @throws InputLimitError if the validation takes too much work
 */
function violationsOf(
  operation: CompiledOperation,
  ...[parts, mediaType, url]: Parameters<CompiledOperation['validateRequest']>
): SchemaViolation[] {
  try {
    return withWorkLimit(parts, () => operation.validateRequest(parts, mediaType, url));
  } catch (error) {
    // Validators parse JSON in parameters, of which a URL has room for thousands of levels, and then call themselves.
    if (!(error instanceof RangeError)) throw error;
    throw new PipelineError('validationFailed', { message: 'A value is nested too deeply.' });
  }
}

function queryOf(url: string): Record<string, unknown> {
  const mark = url.indexOf('?');
  return mark < 0 ? {} : parseQuery(url.slice(mark + 1));
}

/** Rejects a request whose query exceeds a limit. @throws PipelineError */
function withinLimits<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof InputLimitError)) throw error;
    throw new PipelineError('validationFailed', { message: error.message });
  }
}
