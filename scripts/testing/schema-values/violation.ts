import type fc from 'fast-check';

/** Values that are meant to violate one keyword at a location; Ajv decides whether they violate no other. */
export interface ViolationGenerator {
  keyword: string;
  /** The location inside the value: `/name`; `*` if it differs. */
  inside: string;
  values: fc.Arbitrary<unknown>;
}
