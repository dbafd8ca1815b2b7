// RFC 6750, 2.1: the scheme is case-insensitive (RFC 9110, 11.1), the token a token68.
const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** Returns the token of an Authorization header, or undefined if there is none. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  bearer.exec(authorization ?? '')?.[1];
