/** Marks networks that webhooks may call over http. */
const httpPrefix = 'http:';

/** Returns a network without its prefix. */
export const withoutPrefix = (network: string): string =>
  network.startsWith(httpPrefix) ? network.slice(httpPrefix.length) : network;

/**
 * Returns the allowed networks that webhooks may call with a protocol, without prefixes.
 * @param allowedNetworks as in `EgressPolicy`
 * @param protocol with a colon, as in `URL`
 */
export const networksFor = (allowedNetworks: readonly string[], protocol: string): string[] =>
  allowedNetworks
    .filter((network) => protocol === 'https:' || network.startsWith(httpPrefix))
    .map(withoutPrefix);
