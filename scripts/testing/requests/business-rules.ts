import { matchesTemplate } from '../schema-values/location.ts';
import type { OperationRule } from './operations.ts';

/**
 * Whether business rules explain an error response: a rule covers each of its locations, or neither the error nor a
 * rule has a location.
 */
export const isBusinessRule = (rules: readonly OperationRule[], named: readonly string[]): boolean =>
  named.length === 0
    ? rules.some(({ fields }) => fields.length === 0)
    : named.every((location) =>
        rules.some(({ fields }) => fields.some((field) => matchesTemplate(location, field))),
      );
