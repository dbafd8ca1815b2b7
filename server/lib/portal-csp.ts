/**
 * Returns the Content-Security-Policy of a page of the portal. Pages run only their own scripts, and load nothing from
 * other origins.
 * @param path relative to the portal's root. Pages of the reference send requests to servers that the reader chooses.
 */
export const portalPolicy = (path: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    `connect-src ${path.startsWith('reference/') ? '*' : "'self'"}`,
    "base-uri 'self'",
    "form-action 'none'",
  ].join('; ');
