import type { CheckOutcome, Finding } from '../check.ts';
import type { ConsumerImpact } from '../consumer-impact.ts';

export type ReportedFinding = Finding & { check: string };

const severities = ['error', 'warning', 'note'];

/** Lists all findings, errors first. Within a severity, breaking changes come first, then the rest in check order. */
export const byImportance = (outcomes: readonly CheckOutcome[]): ReportedFinding[] =>
  outcomes
    .flatMap(({ check, findings }) => findings.map((finding) => ({ check, ...finding })))
    .toSorted(
      (one, other) =>
        severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
        Number(isBreak(other)) - Number(isBreak(one)),
    );

/** Whether a finding is about a change that breaks clients, or may break them. */
export const isBreak = ({ check, severity, details }: ReportedFinding): boolean =>
  check === 'changes' && severity !== 'note' && details !== undefined;

/** Returns the location of a finding, such as `openapi.yaml:3:5`; empty if it has none. */
export const locationText = ({ file, line, column }: ReportedFinding): string =>
  [file, ...(file === undefined ? [] : [line, column])].filter((part) => part !== undefined).join(':');

/** Shortens a line, and marks that it was shortened. @param width in characters */
export const cutTo = (width: number, line: string): string =>
  line.length > width ? `${line.slice(0, Math.max(0, width - 1))}…` : line;

const maxPlaces = 4;

/** Formats the impacts of one change: one line for each verdict. */
export function impactLines(impacts: readonly ConsumerImpact[]): string[] {
  if (impacts.length === 0) return [];
  const lines = (['does not compile', 'may break'] as const).flatMap((verdict) => {
    const those = impacts.filter((impact) => impact.verdict === verdict);
    return those.length > 0 ? [`${verdict}: ${those.map(withPlaces).join('; ')}`] : [];
  });
  const deployed = impacts.filter((impact) => impact.deployed);
  if (deployed.length > 0)
    lines.push(
      `rejects these events until it is built again: ${deployed.map(({ consumer, deployed: places = [] }) => withPlaces({ consumer, places })).join('; ')}`,
    );
  const cleared = impacts.filter(({ verdict }) => verdict === 'not affected').length;
  lines.push(
    lines.length === 0
      ? `no known consumer is affected, as far as ${impacts.length === 1 ? 'its manifest shows' : `${impacts.length} manifests show`}`
      : `not affected, as far as their manifests show: ${cleared} of ${impacts.length} known consumers`,
  );
  return lines;
}

function withPlaces({ consumer, places }: Pick<ConsumerImpact, 'consumer' | 'places'>): string {
  if (places.length === 0) return `${consumer} (what the change concerns is not known)`;
  return `${consumer} at ${placesText(places)}`;
}

/** Formats places: the first ones, and the number of the others. */
export function placesText(places: readonly string[]): string {
  const more = places.length > maxPlaces ? ` and ${places.length - maxPlaces} more` : '';
  return `${places.slice(0, maxPlaces).join(', ')}${more}`;
}

/** Returns the result of all checks in one line. */
export function summaryText(outcomes: readonly CheckOutcome[]): string {
  const tell = (wanted: CheckOutcome['state'], one: string, several: string) => {
    const those = outcomes.filter(({ state }) => state === wanted).map(({ check }) => check);
    return those.length > 0 ? [`${those.join(', ')} ${those.length === 1 ? one : several}`] : [];
  };
  const parts = [
    ...tell('failed', 'fails', 'fail'),
    ...tell('could not run', 'could not run', 'could not run'),
    ...tell('not run', 'was not run', 'were not run'),
  ];
  const passed = outcomes.filter(({ state }) => state === 'passed').length;
  if (parts.length > 0) return `${parts.join('; ')}. ${passed} of ${outcomes.length} checks passed.`;
  return passed === 1 ? `${outcomes[0]?.check} passed.` : `All ${passed} checks passed.`;
}
