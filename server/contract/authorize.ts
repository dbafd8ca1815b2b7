import type { Security } from './compiled-contract.ts';
import { PipelineError } from './errors.ts';

/** Whether an operation can be called without credentials. */
export const isPublic = (security: Security): boolean =>
  security.length === 0 || security.some((requirement) => Object.keys(requirement).length === 0);

/** Checks a caller's scopes. @throws PipelineError if they meet none of the alternative security requirements */
export function authorize(security: Security, scopes: ReadonlySet<string>): void {
  if (isPublic(security) || security.some((requirement) => isMet(requirement, scopes))) return;
  const needed = Object.values(security[0] ?? {}).flat();
  throw scopesMissing(needed.filter((scope) => !scopes.has(scope)));
}

/** Returns the error for a caller without some of the scopes of an operation. */
export function scopesMissing(missing: readonly string[]): PipelineError {
  const noun = missing.length === 1 ? 'scope' : 'scopes';
  return new PipelineError('scopeMissing', {
    message: `This operation needs the ${noun} ${missing.join(' and ')}, which the token does not have.`,
  });
}

const isMet = (requirement: Security[number], scopes: ReadonlySet<string>): boolean =>
  Object.values(requirement).every((needed) => needed.every((scope) => scopes.has(scope)));
