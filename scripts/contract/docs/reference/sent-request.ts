/** A value of a request, as text. */
export interface SentValue {
  in: 'path' | 'query' | 'header';
  name: string;
  value: string;
}

/** A request as it is sent. */
export interface SampleRequest {
  /** In upper case. */
  method: string;
  /** The path of the operation, with the names of its parameters. */
  path: string;
  /** The values of the URL and the headers. */
  values: readonly SentValue[];
  /** Percent-encoded, without characters that end or continue a string of a programming language. */
  url: string;
  headers: readonly { name: string; value: string }[];
  body: string | undefined;
}

/**
 * Returns a request as it is sent.
 * @param url the server's, with the base path
 * @param path with the names of its parameters
 */
export function sentRequest(
  url: string,
  method: string,
  path: string,
  values: readonly SentValue[],
  body: string | undefined,
): SampleRequest {
  // Without the slash, the path could continue the host name.
  const absolute = path.startsWith('/') ? path : `/${path}`;
  return {
    method: method.toUpperCase(),
    path: absolute,
    values,
    url: url + targetOf(absolute, values).replaceAll(/[^\w./~%?&=+,:@-]/gu, encodeSign),
    headers: values.filter((each) => each.in === 'header').map(({ name, value }) => ({ name, value })),
    body,
  };
}

/** Encodes a character that `encodeURIComponent` leaves alone, too. */
const encodeSign = (sign: string): string =>
  Array.from(
    new TextEncoder().encode(sign),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');

/** Returns the path and the query of a request, percent-encoded. */
function targetOf(path: string, values: readonly SentValue[]): string {
  const filled = path.replaceAll(/\{([^}]+)\}|([^{]+|\{)/g, (_all, name: string | undefined, text: string) =>
    name === undefined
      ? // The path may contain percent-encoded characters.
        encodeURI(text.toWellFormed()).replaceAll(/%25(?=[\da-f]{2})/gi, '%')
      : encodeURIComponent(
          values.find((each) => each.in === 'path' && each.name === name)?.value.toWellFormed() ?? '',
        ),
  );
  const query = new URLSearchParams(
    values.filter((each) => each.in === 'query').map(({ name, value }) => [name, value]),
  );
  return `${filled}${query.size > 0 ? `?${query}` : ''}`;
}
