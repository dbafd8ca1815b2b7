import type { ErrorObject } from 'ajv';
import { escapePointer } from '../lib/json-text.ts';
import type { SchemaViolation } from './operation.ts';

/** Converts errors of Ajv. @param root the location of the validated value in Ajv's input */
export function toViolations(errors: readonly ErrorObject[], root: string): SchemaViolation[] {
  return errors.map(({ instancePath, keyword, message, params }) => {
    const property = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
    const location =
      property === undefined ? instancePath : `${instancePath}/${escapePointer(String(property))}`;
    return { pointer: location.slice(root.length), keyword, message: message ?? 'is not allowed' };
  });
}

/**
 * Returns the violations in an error that express-openapi-validator has thrown.
 * @throws the error itself if it is any other error
 */
export function violationsInError(error: unknown): SchemaViolation[] {
  if (!(error instanceof Error) || !('errors' in error) || !Array.isArray(error.errors)) throw error;
  return error.errors.map(({ path, message, errorCode }) => ({
    pointer: String(path),
    keyword: String(errorCode ?? '').replace('.openapi.validation', ''),
    message: String(message),
  }));
}
