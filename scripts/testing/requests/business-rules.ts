import { matchesTemplate } from '../schema-values/location.ts';
import type { OperationRule } from './operations.ts';

/** Whether rules explain a refusal: each place that it names is one of theirs, or it names none, as one of them does. */
export const isBusinessRule = (rules: readonly OperationRule[], named: readonly string[]): boolean =>
  named.length === 0
    ? rules.some(({ fields }) => fields.length === 0)
    : named.every((location) =>
        rules.some(({ fields }) => fields.some((field) => matchesTemplate(location, field))),
      );
