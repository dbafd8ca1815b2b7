import type { QueryPlan } from './parameter-plan.ts';

/** How a form becomes a value. Made when a contract is compiled. */
export interface FormPlan {
  /** The properties with an encoding of their own, and then an exploded object with all others. */
  query: QueryPlan;
  /** The parts of a multipart form, by name. Parts of unknown types are left out. */
  parts: Readonly<Record<string, PartPlan>>;
}

export interface PartPlan {
  isFile: boolean;
  isList: boolean;
  /** The media types that a file may have: `image/png`, `image/*`. */
  mediaTypes?: readonly string[];
}

/** The name of the exploded object: a lone surrogate, which no decoded text contains. */
export const otherFields = '\ud800';
