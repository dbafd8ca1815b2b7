import { isObject } from '../../../server/lib/json-object.ts';
import type { ConformanceCheck } from './check-result.ts';
import type { ConformanceFinding } from './session.ts';

/**
 * Adds a cause from the log of the service to each finding that is a server error. A log line belongs to a response if
 * it contains the value of the response's `X-Request-Id`.
 * @param log the service's log, one event per line: JSON, or plain text, of which the whole line is the cause
 * @returns the findings
 */
export function addCauses(findings: readonly ConformanceFinding[], log: string): ConformanceFinding[] {
  const lines = log.split('\n');
  return findings.map((finding) => {
    const { status = 0, requestId } = finding.response ?? {};
    if (status < 500 || requestId === undefined) return finding;
    const [cause] = lines.filter((line) => line.includes(requestId)).flatMap((line) => causeIn(line) ?? []);
    return cause === undefined ? finding : { ...finding, cause };
  });
}

/** Checks of behavior that operations usually share, so that the same message means the same cause. */
const shared: readonly ConformanceCheck[] = [
  'body',
  'headers',
  'media-type',
  'requires-auth',
  'rejects-method',
];

/** Returns the logged cause of a finding, or else a text that findings with the same probable cause share. */
const causeOf = ({ cause, check, message }: ConformanceFinding): string | undefined =>
  cause ?? (shared.includes(check) ? `${check}: ${message}` : undefined);

/** Groups findings with the same cause: the first one and the others. A finding without a cause is its own group. */
export function foldByCause(
  findings: readonly ConformanceFinding[],
): { finding: ConformanceFinding; same: ConformanceFinding[] }[] {
  const folded = new Map<unknown, { finding: ConformanceFinding; same: ConformanceFinding[] }>();
  for (const finding of findings) {
    const cause = causeOf(finding) ?? finding;
    const known = folded.get(cause);
    if (known) known.same.push(finding);
    else folded.set(cause, { finding, same: [] });
  }
  return [...folded.values()];
}

/** Returns the cause that a line of the log contains; undefined for a JSON event without an error. */
function causeIn(line: string): string | undefined {
  const event = parsed(line);
  if (event === undefined) return line.trim();
  const error = [event.err, event.error].find(isObject);
  const texts = [event.violations, event.reason, error?.message, event.error];
  const [text] = texts.filter((each) => typeof each === 'string');
  if (text === undefined) return undefined;
  const [, place] = /\n\s+at (.+)/.exec(String(error?.stack ?? '')) ?? [];
  const kind = typeof event.msg === 'string' ? `${event.msg}: ` : '';
  return `${kind}${text}${place === undefined ? '' : ` (at ${place})`}`;
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
