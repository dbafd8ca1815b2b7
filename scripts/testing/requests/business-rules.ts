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

/** Whether an error response in a format of its own mentions a field of a rule, by its name as a word. */
export function isMentioned({ fields }: OperationRule, text: string): boolean {
  const words = new Set(text.split(/[^\p{L}\p{N}_-]+/u));
  return (
    fields.length === 0 ||
    fields.some((field) => words.has(field.split('/').findLast((step) => step !== '*') ?? ''))
  );
}
