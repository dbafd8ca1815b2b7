import type fc from 'fast-check';

/** Values at a place that are meant to break one keyword there; whether they break no other, Ajv says. */
export interface ViolationGenerator {
  keyword: string;
  /** The place inside, where it is not the value itself: `/name`; `*` where it differs. */
  inside: string;
  values: fc.Arbitrary<unknown>;
}
