import { PipelineError } from './errors.ts';
import type { Security } from './operation.ts';

/** Whether anybody may call: one of the alternatives asks for nothing. */
export const isPublic = (security: Security): boolean =>
  security.length === 0 || security.some((requirement) => Object.keys(requirement).length === 0);

/** @throws Refused where no alternative is met by the scopes that the caller has */
export function authorize(security: Security, scopes: ReadonlySet<string>): void {
  if (isPublic(security) || security.some((requirement) => isMet(requirement, scopes))) return;
  const [first = {}] = security;
  const missing = Object.values(first)
    .flat()
    .filter((scope) => !scopes.has(scope));
  throw new PipelineError('scopeMissing', {
    message: `This operation needs the scope ${missing.join(' and ')}, which the token does not have.`,
  });
}

const isMet = (requirement: Security[number], scopes: ReadonlySet<string>): boolean =>
  Object.values(requirement).every((needed) => needed.every((scope) => scopes.has(scope)));
