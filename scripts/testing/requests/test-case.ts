import type { GeneratedRequest, SerializedRequest } from './serialize.ts';

/** A request with its expected result. */
export interface TestCase {
  request: GeneratedRequest;
  /** A description: `maxLength of /first_name, one above`. */
  what: string;
  /** The violation; undefined for a valid request. */
  wrong: InvalidInput | undefined;
  /** The part whose value is tested, and must be sent as it is: `path/id`, `header/Idempotency-Key`, `body`. */
  part?: string;
  /** Overrides parts of the serialized request. */
  instead?: Partial<SerializedRequest>;
}

export interface InvalidInput {
  /**
   * - broken: the request violates a schema
   * - malformed: the request body cannot be parsed
   * - mediaType: the operation does not accept the media type of the request
   * - unknown: the request has read-only properties, which a service may reject or ignore
   */
  kind: 'broken' | 'malformed' | 'mediaType' | 'unknown';
  keyword: string;
  /** The location that the error response is expected to name (D26): `/first_name`, `body`, `query/page`. */
  field: string;
}
