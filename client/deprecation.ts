/** What the service has said of the end of an operation. */
export interface DeprecationNotice {
  /** `GET /api/v1/contacts`. */
  operation: string;
  /** Since when it should not be used any more (RFC 9745). */
  since: Date;
  /** When it goes (RFC 8594), where that is said. */
  sunset: Date | undefined;
}

/**
 * Tells once of each operation that it is deprecated.
 * @param tell called with what an answer says, the first time that it does
 */
export function createDeprecationNotifier(
  tell: (deprecated: DeprecationNotice) => void,
): (operation: string, headers: Headers) => void {
  const told = new Set<string>();
  return (operation, headers) => {
    const [, seconds] = /^@(-?\d+)/.exec(headers.get('Deprecation') ?? '') ?? [];
    if (seconds === undefined || told.has(operation)) return;
    told.add(operation);
    const sunset = Date.parse(headers.get('Sunset') ?? '');
    tell({
      operation,
      since: new Date(Number(seconds) * 1_000),
      sunset: Number.isNaN(sunset) ? undefined : new Date(sunset),
    });
  };
}

export function warnDeprecated({ operation, since, sunset }: DeprecationNotice): void {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  // biome-ignore lint/suspicious/noConsole: a warning to whoever writes the program; onDeprecated takes its place
  console.warn(
    `Parley: ${operation} is deprecated since ${day(since)}${sunset ? ` and goes on ${day(sunset)}` : ''}.`,
  );
}
