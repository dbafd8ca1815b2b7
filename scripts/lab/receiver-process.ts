import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * A webhook receiver in its own process. It sends its port to the parent process, and then, for each message of that, the
 * number of requests since the last one.
 */

if (process.send) {
  let requests = 0;
  const server = createServer((req, res) => {
    requests += 1;
    req.resume().on('end', () => res.writeHead(204).end());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', 4_096, resolve));
  process.on('message', () => {
    process.send?.(requests);
    requests = 0;
  });
  process.on('disconnect', () => process.exit());
  process.send((server.address() as AddressInfo).port);
}
