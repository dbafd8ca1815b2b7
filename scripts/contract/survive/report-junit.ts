import { escapeXml } from '../../lib/escape-xml.ts';
import type { SurviveFinding } from './findings.ts';
import type { SurviveReport } from './survive.ts';

/** Formats the report as JUnit XML: a suite per class of scenarios, a case per scenario. */
export function formatSurviveJunit(
  { results, notApplicable }: SurviveReport,
  findings: readonly SurviveFinding[],
): string {
  const scenarios = new Map(results.map(({ scenario }) => [scenario.name, scenario]));
  const suites = [...Map.groupBy(scenarios.values(), (scenario) => scenario.class)].map(([kind, all]) => {
    const failed = new Set(
      findings
        .filter((each) => each.class === kind && each.level === 'error')
        .map(({ scenario }) => scenario),
    );
    const cases = all.map(({ name }) => {
      const own = findings.filter(({ scenario }) => scenario === name).map(elementOf);
      return `    <testcase classname="${kind}" name="${escapeXml(name)}">${own.join('')}</testcase>`;
    });
    return [
      `  <testsuite name="${kind}" tests="${cases.length}" failures="${failed.size}">`,
      ...cases,
      '  </testsuite>',
    ].join('\n');
  });
  const skipped = notApplicable.map(
    (name) => `    <testcase classname="not applicable" name="${escapeXml(name)}"><skipped/></testcase>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="survive">',
    ...suites,
    ...(skipped.length > 0
      ? [
          `  <testsuite name="not applicable" tests="${skipped.length}" skipped="${skipped.length}">`,
          ...skipped,
          '  </testsuite>',
        ]
      : []),
    '</testsuites>',
    '',
  ].join('\n');
}

function elementOf({
  level,
  kind,
  message,
  legal,
  operations,
  locations,
  reproduce,
}: SurviveFinding): string {
  const details = [message, `Legal: ${legal}`, [...operations, ...locations].join(' '), ...reproduce].join(
    '\n',
  );
  return level === 'error'
    ? `<failure message="${escapeXml(`${kind}: ${message}`)}">${escapeXml(details)}</failure>`
    : `<system-out>${escapeXml(`${kind}: ${details}`)}</system-out>`;
}
