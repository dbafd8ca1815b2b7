/** Preloaded into Redocly's processes: connections fail, so that a document or a configuration cannot send requests. */
import { Socket } from 'node:net';

/** Returns the target of `connect`, which is called with options, with a port and a host, or with both in a list. */
function targetOf(given: readonly unknown[]): string {
  const [first, second] = given.flat();
  if (typeof first !== 'object' || first === null) return `${second ?? 'localhost'}:${first}`;
  const { host, port, path }: { host?: unknown; port?: unknown; path?: unknown } = first;
  return path ? String(path) : `${host ?? 'localhost'}:${port}`;
}

Socket.prototype.connect = (...given: unknown[]): never => {
  throw new Error(`${targetOf(given)} is not called: documents are read without network.`);
};
