import { describeFieldErrors, type FieldError, fieldOf } from '../lib/field-error.ts';
import { InputLimitError } from '../lib/input-limit.ts';
import { findInvalidText } from '../lib/json-text.ts';
import { isNestedDeeperThan, maxDepth } from '../lib/parse-json.ts';
import { wordingOf } from '../lib/wording.ts';
import { withWorkLimit } from '../lib/work-limit.ts';
import { parseParameters } from '../validation/parameters/parse-parameters.ts';
import { PipelineError } from './errors.ts';
import type { RequestHead, ValidatedInput } from './exchange.ts';
import { withFiles } from './multipart-form.ts';
import type { CompiledOperation, ReadBody } from './operation.ts';

/**
 * Validates a request against its operation.
 * @param path the path parameters as the client sent them, percent-encoded
 * @returns the parsed parameters and the body, with defaults filled in
 * @throws PipelineError naming every invalid location
 */
export function validateRequest(
  operation: CompiledOperation,
  req: RequestHead,
  path: Readonly<Record<string, string>>,
  body: ReadBody,
): ValidatedInput {
  if (body.format !== 'bytes' && isNestedDeeperThan(body.body, maxDepth))
    throw new PipelineError('validationFailed', {
      message: `The body is nested more than ${maxDepth} levels deep.`,
      fields: 'body',
    });
  try {
    // The work is that of all parts, so a limit for each of them would allow too much.
    return withWorkLimit([body.body, req.url, req.headers], () => validateParts(operation, req, path, body));
  } catch (error) {
    if (error instanceof InputLimitError)
      throw new PipelineError('validationFailed', { message: error.message });
    // JSON in a parameter has room for thousands of levels, and validators call themselves.
    if (error instanceof RangeError)
      throw new PipelineError('validationFailed', { message: 'A value is nested too deeply.' });
    throw error;
  }
}

function validateParts(
  operation: CompiledOperation,
  req: RequestHead,
  path: Readonly<Record<string, string>>,
  sent: ReadBody,
): ValidatedInput {
  const {
    query,
    path: inPath,
    headers,
    cookies,
    problems,
  } = parseParameters(
    operation.parameters,
    { query: queryOf(req.url ?? '/'), path, headers: req.headers, rawHeaders: req.rawHeaders },
    operation.accepts,
  );
  const parts = { query, path: inPath, header: headers, cookie: cookies };
  const { path: inPaths, query: inQuery, headers: inHeaders, cookies: inCookies } = operation.parameters;
  for (const plans of [inPaths, inQuery.parameters, inHeaders, inCookies])
    for (const { name, key, in: location, check } of plans) {
      const values = parts[location];
      if (check === undefined || !Object.hasOwn(values, key)) continue;
      for (const { pointer, message } of operation.violationsOf(check, values[key]))
        problems.push({ field: fieldOf(location, `/${name}${pointer}`), message });
    }
  const { mediaType, files } = sent;
  // Opaque bytes are not validated.
  const isOpaque = sent.format === 'bytes';
  let body = isOpaque ? undefined : operation.readText(sent, problems);
  if (operation.body?.required && mediaType === undefined)
    problems.push({ field: fieldOf('body', ''), message: wordingOf('required') });
  if (body !== undefined && mediaType !== undefined)
    for (const { pointer, message } of operation.validateRequestBody(mediaType, body))
      problems.push({ field: fieldOf('body', pointer), message });
  if (files) body = withFiles(body, files);
  problems.push(
    ...invalidTextsIn(query, 'query'),
    ...invalidTextsIn(inPath, 'path'),
    ...invalidTextsIn(body, 'body'),
  );
  if (problems.length > 0) throw new PipelineError('validationFailed', describeFieldErrors(problems));
  return { path: inPath, query, headers, body: isOpaque ? sent.body : body };
}

const invalidTextsIn = (value: unknown, part: string): FieldError[] =>
  findInvalidText(value).map(({ field, message }) => ({ field: fieldOf(part, field), message }));

function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}
