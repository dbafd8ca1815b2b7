import type { GeneratedRequest, SerializedRequest } from './serialize.ts';

/** A request with its expected result. */
export interface TestCase {
  request: GeneratedRequest;
  /** A description: `maxLength of /first_name, one above`. */
  what: string;
  /** The violation; undefined for a valid request. */
  wrong: InvalidInput | undefined;
  /** Overrides parts of the serialized request. */
  instead?: Partial<SerializedRequest>;
}

export interface InvalidInput {
  /**
   * - broken: it violates a schema
   * - malformed: it cannot be parsed
   * - mediaType: the operation does not accept its media type
   * - unknown: it has an undocumented parameter, for which OpenAPI specifies nothing
   */
  kind: 'broken' | 'malformed' | 'mediaType' | 'unknown';
  keyword: string;
  /** The expected location (D26): `/first_name`, `body`, `query/page`. */
  field: string;
}

/** Returns a location as it appears in an error. */
export const fieldOf = (part: string, location: string): string =>
  part === 'body' ? location || 'body' : `${part}${location}`;
