import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorMessage } from '../../../server/lib/error-message.ts';
import type { TestedOperation } from '../requests/operations.ts';
import { type GenerationGaps, noGaps, type RequestSpace, requestSpaceOf } from '../requests/request-space.ts';
import { TimeIsOver } from '../schema-values/arbitrary.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';

export interface SpaceGaps extends GenerationGaps {
  /** Operations for which no request could be generated, with the reason. */
  unmade: { operation: string; reason: string }[];
}

/**
 * Creates the generators of requests for each operation.
 * @param onOperation called before each operation; returns whether to continue
 */
export async function spacesOf(
  requests: SchemaContext,
  operations: readonly TestedOperation[],
  onOperation: (id: string) => boolean,
): Promise<{ spaces: RequestSpace[]; gaps: SpaceGaps }> {
  const gaps: SpaceGaps = { ...noGaps(), unmade: [] };
  const spaces: RequestSpace[] = [];
  for (const operation of operations) {
    if (!onOperation(operation.id)) break;
    await nextTurn();
    const statuses = Object.keys(operation.responses);
    if (statuses.length > 0 && statuses.every((status) => status.startsWith('1'))) {
      gaps.unmade.push({ operation: operation.id, reason: 'It documents only interim responses (1xx).' });
      continue;
    }
    try {
      spaces.push(requestSpaceOf(requests, operation, gaps));
    } catch (error) {
      if (error instanceof TimeIsOver) break;
      // The other operations are still tested.
      gaps.unmade.push({ operation: operation.id, reason: errorMessage(error) });
    }
  }
  return { spaces, gaps };
}
