import type { CompactSchema } from '../../../server/contract/compiled-contract.ts';
import { referencesIn } from '../../lib/json-pointer.ts';

/** Maximum number of schemas that are compiled inside each other. A compiler that calls itself needs stack for each. */
const maxNested = 20;

/** Decides which references are resolved late. Schemas may be added after others were compiled. */
export interface ReferenceCuts {
  /** @param names schemas that no schema added before refers to */
  add: (names: readonly string[]) => void;
  /**
   * Whether references to a schema are resolved when a validator runs, not when it is compiled: those of large cycles, and
   * some in long chains.
   */
  isCut: (name: string) => boolean;
}

/** @param schemas compact schemas by name */
export function createReferenceCuts(schemas: Readonly<Record<string, CompactSchema>>): ReferenceCuts {
  const cuts = new Set<string>();
  const depths = new Map<string, number>();
  return {
    isCut: (name) => cuts.has(name),
    add(names) {
      for (const group of groupsOf(schemas, names, (name) => depths.has(name))) {
        const targets = group.flatMap((name) => referencesIn(schemas[name]));
        const depth =
          1 + Math.max(0, ...targets.map((name) => (cuts.has(name) ? 0 : (depths.get(name) ?? 0))));
        const isCut = group.length > maxNested || depth >= maxNested;
        for (const name of group) {
          depths.set(name, depth);
          if (isCut) cuts.add(name);
        }
      }
    },
  };
}

/** Returns the groups of schemas that refer to each other in cycles (Tarjan), each after those to which it refers. */
function groupsOf(
  schemas: Readonly<Record<string, CompactSchema>>,
  roots: readonly string[],
  isKnown: (name: string) => boolean,
): string[][] {
  const groups: string[][] = [];
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const enter = (name: string) => {
    indexes.set(name, indexes.size);
    lowest.set(name, indexes.size - 1);
    open.push(name);
    isOpen.add(name);
    return { name, targets: referencesIn(schemas[name]).filter((each) => !isKnown(each)), next: 0 };
  };
  const lower = (name: string, index: number | undefined) =>
    lowest.set(name, Math.min(lowest.get(name) ?? 0, index ?? 0));
  for (const root of roots) {
    if (indexes.has(root)) continue;
    // A list instead of calls: chains can be longer than the stack.
    const visits = [enter(root)];
    for (let visit = visits.at(-1); visit; visit = visits.at(-1)) {
      const target = visit.targets[visit.next];
      visit.next += 1;
      if (target === undefined) {
        visits.pop();
        const around = visits.at(-1);
        if (around) lower(around.name, lowest.get(visit.name));
        if (lowest.get(visit.name) !== indexes.get(visit.name)) continue;
        const group = open.splice(open.indexOf(visit.name));
        for (const name of group) isOpen.delete(name);
        groups.push(group);
      } else if (!indexes.has(target)) visits.push(enter(target));
      else if (isOpen.has(target)) lower(visit.name, indexes.get(target));
    }
  }
  return groups;
}
