import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';
import { parseAddress } from '../security/egress/parse-address.ts';

/**
 * Returns a function that finds the client's address behind trusted proxies, from X-Forwarded-For. If the entry
 * for the client is not a valid IP address, the address of the peer is used.
 * @param trustedProxies CIDR blocks
 */
export function clientAddress(trustedProxies: readonly string[]): (req: IncomingMessage) => string {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  const isTrustedProxy = (text: string | undefined, hop: number): boolean => {
    const address = parseAddress(text ?? '');
    return address !== undefined && isTrusted(address, hop);
  };
  return (req) => {
    // Empty if the client has already disconnected.
    const peer = req.socket.remoteAddress ?? '';
    return parseAddress(proxyAddress(req, isTrustedProxy) ?? '') ?? peer;
  };
}
