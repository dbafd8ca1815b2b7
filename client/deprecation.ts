/** The deprecation of an operation, as the service announces it. */
export interface DeprecationNotice {
  /** `GET /api/v1/contacts`. */
  operation: string;
  /** When it was deprecated (RFC 9745). */
  since: Date;
  /** When it will be removed (RFC 8594), if announced. */
  sunset: Date | undefined;
}

/**
 * Reports each deprecated operation once.
 * @param tell called with the first response that announces the deprecation
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
  // biome-ignore lint/suspicious/noConsole: a warning to the program's developers; onDeprecated replaces it
  console.warn(
    `Parley: ${operation} is deprecated since ${day(since)}${sunset ? ` and will be removed on ${day(sunset)}` : ''}.`,
  );
}
