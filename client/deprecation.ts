/** The deprecation of an operation, as the service announces it. */
export interface DeprecationNotice {
  /** The method and path of the operation, such as `GET /api/v1/contacts/{id}`. */
  operation: string;
  /** When the operation was deprecated (RFC 9745). */
  since: Date;
  /** When the operation will be removed (RFC 8594); undefined if the service has not announced a date. */
  sunset: Date | undefined;
}

/**
 * Creates a function that checks the headers of each response and reports each deprecated operation once.
 * @param tell called when a response announces the deprecation of an operation for the first time
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
