import type fc from 'fast-check';

/** Values that should violate one keyword at a location. The compiled schema shows that they violate no other. */
export interface ViolationGenerator {
  keyword: string;
  /** The location inside the value, such as `/name`; `/*` if the location varies. */
  inside: string;
  values: fc.Arbitrary<unknown>;
}
