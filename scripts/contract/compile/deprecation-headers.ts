import type { JsonObject } from '../../../server/lib/json-object.ts';

/** Parses a date such as `2027-01-31` as midnight UTC. */
function dayFrom(text: unknown): Date | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? undefined : day;
}

/**
 * Returns the headers of a deprecated operation: Deprecation (RFC 9745) and Sunset (RFC 8594). Empty if it is not
 * deprecated.
 */
export function deprecationHeaders(operation: JsonObject): Record<string, string> {
  if (operation.deprecated !== true) return {};
  const [since, sunset] = [dayFrom(operation['x-deprecated-since']), dayFrom(operation['x-sunset'])];
  return {
    // A structured field value of type Date (RFC 9651, section 3.3.7): `@` and the seconds since 1970.
    ...(since ? { Deprecation: `@${since.getTime() / 1_000}` } : {}),
    ...(sunset ? { Sunset: sunset.toUTCString() } : {}),
  };
}
