/**
 * Preloaded into Redocly's processes: connections fail, so that a document or a configuration cannot send requests.
 * `MAY_CONNECT_TO` names the one server that workflows may call, as `host:port`.
 */
import { Socket } from 'node:net';

const allowed = process.env.MAY_CONNECT_TO;

/** Returns the target of `connect`, which is called with options, with a port and a host, or with both in a list. */
function targetOf(given: readonly unknown[]): string {
  const [first, second] = given.flat();
  if (typeof first !== 'object' || first === null) return `${second ?? 'localhost'}:${first}`;
  const { host, port, path }: { host?: unknown; port?: unknown; path?: unknown } = first;
  return path ? String(path) : `${host ?? 'localhost'}:${port}`;
}

const { connect } = Socket.prototype;
Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
  const target = targetOf(given);
  if (allowed === undefined || target !== allowed)
    throw new Error(`${target} is not called: documents are read without network.`);
  return Reflect.apply(connect, this, given);
};
