/**
 * Whether OpenAPI ignores header parameters with this name, because media types and security schemes describe them
 * (OpenAPI 3.1, section 4.8.12.1).
 */
export const isIgnoredHeader = (name: string): boolean => /^(accept|content-type|authorization)$/i.test(name);
