import type { CheckOutcome, Finding } from '../check.ts';

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
