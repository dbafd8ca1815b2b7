import { escapeXml } from '../../lib/escape-xml.ts';
import type { ConformanceReport } from './run.ts';

/** Formats the report as JUnit XML: a suite per operation, a case per check. */
export function formatJunit({ operations, findings, seed }: ConformanceReport): string {
  const suites = operations.map(({ id, checks }) => {
    const cases = Object.entries(checks).map(([check, { held, invalid }]) => {
      const own = findings.filter((finding) => finding.operation === id && finding.check === check);
      const failures = own.map(
        ({ message, curl, phase, what, response, cause }) =>
          `<failure message="${escapeXml(message)}">${escapeXml(`${phase}: ${what}, seed ${seed}\n${curl}\n→ ${response?.status ?? 'no response'} ${response?.body ?? ''}${cause === undefined ? '' : `\nlogged: ${cause}`}`)}</failure>`,
      );
      const missing =
        invalid > 0 && own.length === 0 ? [`<failure message="${invalid} times; as reported before"/>`] : [];
      return `    <testcase classname="${escapeXml(id)}" name="${escapeXml(check)} (${held + invalid})">${[...failures, ...missing].join('')}</testcase>`;
    });
    const failed = Object.values(checks).filter(({ invalid }) => invalid > 0).length;
    return [
      `  <testsuite name="${escapeXml(id)}" tests="${cases.length}" failures="${failed}">`,
      ...cases,
      '  </testsuite>',
    ].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="conformance">',
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}
