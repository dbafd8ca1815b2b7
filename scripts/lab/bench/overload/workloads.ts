export const bodyOf = (count: number): string =>
  JSON.stringify({ first_name: `Ada ${count}`, email_address: `ada${count}@example.com` });

/** Returns the raw requests of each workload. */
export function worksOf(token: string): [name: string, requests: string[]][] {
  const head = (line: string, ...more: string[]) =>
    [line, 'Host: a', `Authorization: Bearer ${token}`, ...more, '', ''].join('\r\n');
  const post = (body: string) =>
    head(
      'POST /api/v1/contacts HTTP/1.1',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ) + body;
  return [
    ['lists of 20', [head('GET /api/v1/contacts HTTP/1.1')]],
    ['creates', Array.from({ length: 97 }, (_, count) => post(bodyOf(count)))],
  ];
}

/** Returns floods without a valid token. They must not use up the fair share of another company. */
export function hostileFloods(token: string, revoked: string): [name: string, requests: string[]][] {
  const forged = `ply_live_${'0'.repeat(token.length - 15)}${token.slice(-6)}`;
  const page = (path: string) => [`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n`];
  return [
    ['requests with a revoked token of the company', worksOf(revoked)[0]?.[1] ?? []],
    ['forged tokens with the last characters of a valid one', worksOf(forged)[0]?.[1] ?? []],
    ['/openapi.json', page('/openapi.json')],
    ['/readyz', page('/readyz')],
  ];
}
