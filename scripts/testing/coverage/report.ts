import { defineOwn, ownOf } from '../../../server/lib/own-property.ts';
import { singleLine, styled } from '../../lib/terminal.ts';
import { type CoverageItem, type CoverageItemType, coverageItemTypes } from './coverage-items.ts';

interface Coverage {
  operations: Record<string, Partial<Record<CoverageItemType, Count>>>;
  total: Partial<Record<CoverageItemType, Count>>;
  gaps: string[];
}

export interface Count {
  reached: number;
  of: number;
}

/** Counts covered items by operation and type, and lists the uncovered ones. */
export function coverageOf(items: readonly CoverageItem[], reached: ReadonlySet<string>): Coverage {
  const coverage: Coverage = { operations: {}, total: {}, gaps: [] };
  for (const { kind, operation, name } of items) {
    const own = ownOf(coverage.operations, operation) ?? {};
    defineOwn(coverage.operations, operation, own);
    const isReached = reached.has(name);
    for (const counts of [own, coverage.total]) {
      const { reached: before, of } = counts[kind] ?? { reached: 0, of: 0 };
      counts[kind] = { reached: before + Number(isReached), of: of + 1 };
    }
    if (!isReached) coverage.gaps.push(name);
  }
  return coverage;
}

/** Formats a table of operations and item types, followed by uncovered items. */
export function formatCoverageReport({ operations, total, gaps }: Coverage): string {
  const width = Math.max(...Object.keys(operations).map((id) => id.length), 10);
  const cell = (count: Count | undefined) => {
    const text = (count ? `${count.reached}/${count.of}` : '·').padStart(12);
    return count && count.reached < count.of ? styled('yellow', text) : text;
  };
  const line = (name: string, counts: Partial<Record<CoverageItemType, Count>>) =>
    singleLine(name).padEnd(width) + coverageItemTypes.map((kind) => cell(counts[kind])).join('');
  return [
    'Contract coverage of the tests:',
    '',
    ''.padEnd(width) + coverageItemTypes.map((kind) => kind.padStart(12)).join(''),
    ...Object.entries(operations).map(([id, counts]) => line(id, counts)),
    line('all', total),
    ...(gaps.length > 0 ? ['', 'Not reached:', ...gaps.map((gap) => `  ${singleLine(gap)}`)] : []),
  ].join('\n');
}
