import { escapeXml } from '../../lib/escape-xml.ts';
import type { ConformanceReport } from './run.ts';

/** Formats the report as JUnit XML: a suite per operation, a case per check. What was not tested is a skipped case. */
export function formatJunit({ operations, findings, seed, leftOut, ended }: ConformanceReport): string {
  const suites = operations.map(({ id, checks }) => {
    const cases = Object.entries(checks).map(([check, { held, invalid }]) => {
      const own = findings.filter((finding) => finding.operation === id && finding.check === check);
      const failures = own.map(
        ({ message, detail, curl, phase, what, response, cause }) =>
          `<failure message="${escapeXml(detail === undefined ? message : `${message} (${detail})`)}">${escapeXml(`${phase}: ${what}, seed ${seed}\n${curl}\n→ ${response?.status ?? 'no response'} ${response?.body ?? ''}${cause === undefined ? '' : `\nlogged: ${cause}`}`)}</failure>`,
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
  const skipped = (operation: string, why: string) => [
    `  <testsuite name="${escapeXml(operation)}" tests="1" failures="0" skipped="1">`,
    `    <testcase classname="${escapeXml(operation)}" name="tested"><skipped message="${escapeXml(why)}"/></testcase>`,
    '  </testsuite>',
  ];
  const left = [
    ...leftOut.flatMap(({ operation, option }) => skipped(operation, `left out by ${option}`)),
    ...(ended?.unfinished ?? []).flatMap((operation) =>
      skipped(
        operation,
        `not tested, or not in all phases: the ${ended?.lost} ended with ${ended?.operation}`,
      ),
    ),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="conformance">',
    ...suites,
    ...left,
    '</testsuites>',
    '',
  ].join('\n');
}
