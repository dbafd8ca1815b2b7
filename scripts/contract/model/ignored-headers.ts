/**
 * Whether OpenAPI ignores header parameters with this name, because media types and security schemes describe them
 * (OpenAPI 3.1, section 4.8.12.1).
 */
export const isIgnoredHeader = (name: string): boolean => /^(accept|content-type|authorization)$/i.test(name);

/**
 * Whether the HTTP server or the pipeline sets this header of a response: it describes the message on the wire. OpenAPI
 * ignores `Content-Type` (section 4.8.17.1).
 */
export const isMessageHeader = (name: string): boolean =>
  /^(connection|content-(encoding|length|type)|date|keep-alive|trailer|transfer-encoding|upgrade)$/i.test(
    name,
  );
