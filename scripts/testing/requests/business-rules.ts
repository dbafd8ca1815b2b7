import type { OperationRule } from '../../contract/model/operation.ts';
import { matchesTemplate } from '../schema-values/location.ts';

/**
 * Whether business rules explain an error response. Either each location in the response belongs to a rule, or the
 * response names no location and there is a rule without locations.
 */
export const isBusinessRule = (rules: readonly OperationRule[], named: readonly string[]): boolean =>
  named.length === 0
    ? rules.some(({ fields }) => fields.length === 0)
    : named.every((location) =>
        rules.some(({ fields }) => fields.some((field) => matchesTemplate(location, field))),
      );
