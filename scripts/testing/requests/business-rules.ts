import { matches } from '../schema-values/location.ts';
import type { Rule } from './operations.ts';

/** Whether rules explain a refusal: each place that it names is one of theirs, or it names none, as one of them does. */
export const isExplained = (rules: readonly Rule[], named: readonly string[]): boolean =>
  named.length === 0
    ? rules.some(({ fields }) => fields.length === 0)
    : named.every((place) => rules.some(({ fields }) => fields.some((field) => matches(place, field))));
