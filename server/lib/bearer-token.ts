// The Authorization header of RFC 6750, section 2.1. The scheme is case-insensitive (RFC 9110, section 11.1), and the
// token has the `token68` syntax (RFC 9110, section 11.2).
const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** The beginning of every token of the mock, which services do not accept. */
export const mockTokenPrefix = 'ply_mock_';

/** Returns the token of an Authorization header, or undefined if there is none. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  bearer.exec(authorization ?? '')?.[1];
