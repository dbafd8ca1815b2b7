import type { GeneratedRequest, SerializedRequest } from './serialize.ts';

/** A request that is tried, and what is known of it beforehand. */
export interface TestCase {
  request: GeneratedRequest;
  /** What it is, for people: `maxLength of /first_name, one above`. */
  what: string;
  /** What is wrong with it; undefined where it fits the contract. */
  wrong: InvalidInput | undefined;
  /** Sent instead of what the request says. */
  instead?: Partial<SerializedRequest>;
}

export interface InvalidInput {
  /**
   * - broken: the contract's schemas say no
   * - malformed: it cannot be read
   * - mediaType: it is sent as what the operation does not take
   * - unknown: it holds a parameter that the contract does not have, of which OpenAPI says nothing
   */
  kind: 'broken' | 'malformed' | 'mediaType' | 'unknown';
  keyword: string;
  /** Where, as our errors name it (D26): `/first_name`, `body`, `query/page`. */
  field: string;
}

/** A place in a part of a request, as an error names it. */
export const fieldOf = (part: string, location: string): string =>
  part === 'body' ? location || 'body' : `${part}${location}`;
