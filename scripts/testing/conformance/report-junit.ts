import type { ConformanceReport } from './run.ts';

/** Text for XML 1.0, which has no place for most control characters, escaped or not. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** The report as JUnit XML: a suite for each operation, a case for each check that was made. */
export function formatJunit({ operations, findings, seed }: ConformanceReport): string {
  const suites = operations.map(({ id, checks }) => {
    const cases = Object.entries(checks).map(([check, { held, invalid }]) => {
      const own = findings.filter((finding) => finding.operation === id && finding.check === check);
      const failures = own.map(
        ({ message, curl, phase, what, response }) =>
          `<failure message="${escaped(message)}">${escaped(`${phase}: ${what}, seed ${seed}\n${curl}\n→ ${response?.status ?? 'no answer'} ${response?.body ?? ''}`)}</failure>`,
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
