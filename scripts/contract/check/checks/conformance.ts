import { runConformance } from '../../../testing/conformance/run.ts';
import { phases } from '../../../testing/conformance/session.ts';
import { createRequestSender } from '../../../testing/requests/send.ts';
import type { CheckContext, CheckReport, Finding } from '../check.ts';

/** Random requests of each kind per operation. `npm test` and `npm run conformance` send more. */
const runs = 6;

/** Runs the conformance tests against the service. */
export async function checkConformance({
  service,
  contract,
  seed,
  progress,
}: CheckContext): Promise<CheckReport> {
  const loaded = await contract();
  const { base, token } = await service();
  const { send, close } = createRequestSender(base, 10_000);
  try {
    const report = await runConformance({
      contract: loaded,
      send,
      base,
      credentials: { headers: { Authorization: `Bearer ${token}` }, query: {} },
      phases,
      only: [],
      runs,
      seed,
      onProgress: progress,
    });
    if (report.requests === 0) throw new Error('No request could be sent.');
    const pointers = new Map(loaded.operations.map(({ id, pointer }) => [id, pointer]));
    const never = report.gaps.neverAccepted.map(
      (operation): Finding => ({
        rule: 'never-accepted',
        severity: 'error',
        message: `${operation} rejected every valid request.`,
        fix: 'See its responses: npm run conformance -- --operation NAME',
      }),
    );
    const findings = report.findings.map(
      async ({ operation, check, message, curl }): Promise<Finding> => ({
        rule: check,
        severity: 'error',
        message: `${operation}: ${message}`,
        fix: 'Change the service or the contract.',
        ...(await loaded.locate(pointers.get(operation) ?? '/paths')),
        details: [curl],
      }),
    );
    return {
      findings: [...(await Promise.all(findings)), ...never],
      summary: `${report.requests} requests, seed ${seed}`,
    };
  } finally {
    close();
  }
}
