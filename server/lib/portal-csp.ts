/**
 * Returns the Content-Security-Policy of a page of the portal. Pages run only their own scripts, and load nothing from
 * other origins.
 * @param page `console` is the page with the API console, a third-party component that adds inline styles. It connects to
 * servers that the reader chooses.
 */
export const portalPolicy = (page: 'console' | 'other'): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${page === 'console' ? " 'unsafe-inline'" : ''}`,
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src ${page === 'console' ? '*' : "'self'"}`,
    "base-uri 'self'",
    "form-action 'none'",
  ].join('; ');
