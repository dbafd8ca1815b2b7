import { refuse } from '../errors.ts';
import type { Security } from './contract.ts';

/** Whether anybody may call: one of the alternatives asks for nothing. */
export const isPublic = (security: Security): boolean =>
  security.length === 0 || security.some((requirement) => Object.keys(requirement).length === 0);

/** @throws Refused where no alternative is met by the scopes that the caller has */
export function authorize(security: Security, scopes: ReadonlySet<string>): void {
  const missing = security.map((requirement) =>
    Object.values(requirement)
      .flat()
      .filter((scope) => !scopes.has(scope)),
  );
  if (isPublic(security) || missing.some((lacking) => lacking.length === 0)) return;
  const [first = []] = missing;
  refuse('scopeMissing', {
    message: `This operation needs the scope ${first.join(' and ')}, which the token does not have.`,
  });
}
