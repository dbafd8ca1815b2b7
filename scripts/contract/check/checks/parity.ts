import { once } from 'node:events';
import { checkStatelessParity, parityCases } from '../../../testing/parity/run.ts';
import { createRequestSender } from '../../../testing/requests/send.ts';
import { mockToken, mockTokenWith } from '../../mock/authenticate.ts';
import { createMock } from '../../mock/server.ts';
import type { CheckContext, CheckReport, Finding } from '../check.ts';

/** Random requests per operation: valid ones, and invalid ones per kind of violation. `npm test` sends more. */
const counts = { valid: 5, invalid: 1 };
const maxDifferences = 20;

/** Checks that the service and its mock respond alike if only the contract and the request determine the response. */
export async function checkParity({
  config,
  service,
  contract,
  api,
  seed,
  progress,
}: CheckContext): Promise<CheckReport> {
  const own = await service();
  const { server } = await createMock({ config, api });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const [one, other] = [own.base, base].map((each) => createRequestSender(each, 10_000));
  try {
    if (!one || !other) throw new Error('A target is missing.');
    const sides = [
      { name: 'server', base: own.base, send: one.send, tokenWith: own.tokenWith },
      {
        name: 'mock',
        base,
        send: other.send,
        tokenWith: (scopes: readonly string[] | 'all') =>
          `Bearer ${scopes === 'all' ? mockToken : mockTokenWith(scopes)}`,
      },
    ] as const;
    const sample = {
      contract: await contract(),
      server: sides[0],
      seed,
      ...counts,
    };
    const requested = await parityCases(sample);
    progress(`${requested.length} requests to both`);
    const found = await checkStatelessParity(
      { ...sample, errors: config.errors },
      sides[1],
      requested,
      maxDifferences,
    );
    if (found.requested === 0) throw new Error('No request could be sent.');
    return {
      findings: found.differences.map(
        ({ what, operation, curl, responses }): Finding => ({
          rule: 'server-and-mock-differ',
          severity: 'error',
          message: `${operation}: server and mock disagree on ${what}.`,
          fix: 'Change the one that violates the contract.',
          details: [curl, ...Object.entries(responses).map(([name, text]) => `${name}: ${text}`)],
        }),
      ),
      summary: `${found.requested} requests to both, seed ${seed}`,
    };
  } finally {
    one?.close();
    other?.close();
    server.closeAllConnections();
    server.close();
  }
}
