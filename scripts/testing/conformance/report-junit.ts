import type { ConformanceReport } from './run.ts';

/** Escapes text for XML 1.0, which does not allow most control characters. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Formats the report as JUnit XML: a suite per operation, a case per check. */
export function formatJunit({ operations, findings, seed }: ConformanceReport): string {
  const suites = operations.map(({ id, checks }) => {
    const cases = Object.entries(checks).map(([check, { held, invalid }]) => {
      const own = findings.filter((finding) => finding.operation === id && finding.check === check);
      const failures = own.map(
        ({ message, curl, phase, what, response, cause }) =>
          `<failure message="${escaped(message)}">${escaped(`${phase}: ${what}, seed ${seed}\n${curl}\n→ ${response?.status ?? 'no response'} ${response?.body ?? ''}${cause === undefined ? '' : `\nlogged: ${cause}`}`)}</failure>`,
      );
      const missing =
        invalid > 0 && own.length === 0 ? [`<failure message="${invalid} times; as reported before"/>`] : [];
      return `    <testcase classname="${escaped(id)}" name="${escaped(check)} (${held + invalid})">${[...failures, ...missing].join('')}</testcase>`;
    });
    const failed = Object.values(checks).filter(({ invalid }) => invalid > 0).length;
    return [
      `  <testsuite name="${escaped(id)}" tests="${cases.length}" failures="${failed}">`,
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
