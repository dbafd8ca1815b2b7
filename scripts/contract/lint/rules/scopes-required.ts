import { isObject, listOf } from '../../../../server/lib/json-object.ts';
import type { LintRule } from '../rule.ts';

/** Every operation that needs a token also needs a scope. Without a scope, any token could call the operation. */
export const scopesRequired: LintRule = () => {
  let defaultSecurity: unknown;
  return {
    Root: {
      enter(root) {
        defaultSecurity = root.security;
      },
    },
    Paths: {
      Operation(operation, { report, location }) {
        const alternatives = listOf(operation.security ?? defaultSecurity).filter(isObject);
        const isOpen = alternatives.some((schemes) => {
          const scopes = Object.values(schemes);
          return scopes.length > 0 && scopes.flat().length === 0;
        });
        if (!isOpen) return;
        report({
          message: `List the scopes that ${operation.operationId ?? 'this operation'} needs under security, such as bearerAuth: ['contacts:read'].`,
          location: operation.security === undefined ? location.key() : location.child('security'),
        });
      },
    },
  };
};
