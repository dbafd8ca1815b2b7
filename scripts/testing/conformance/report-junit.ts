import type { Report } from './run.ts';

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
export function junitOf({ operations, findings, seed }: Report): string {
  const suites = operations.map(({ id, checks }) => {
    const cases = Object.entries(checks).map(([check, { held, broken }]) => {
      const own = findings.filter((finding) => finding.operation === id && finding.check === check);
      const failures = own.map(
        ({ message, curl, phase, what, answer }) =>
          `<failure message="${escaped(message)}">${escaped(`${phase}: ${what}, seed ${seed}\n${curl}\n→ ${answer?.status ?? 'no answer'} ${answer?.body ?? ''}`)}</failure>`,
      );
      const missing =
        broken > 0 && own.length === 0 ? [`<failure message="${broken} times; as reported before"/>`] : [];
      return `    <testcase classname="${escaped(id)}" name="${escaped(check)} (${held + broken})">${[...failures, ...missing].join('')}</testcase>`;
    });
    const failed = Object.values(checks).filter(({ broken }) => broken > 0).length;
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
