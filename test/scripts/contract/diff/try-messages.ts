import fc from 'fast-check';
import { createRequestJudge } from '../../../../scripts/contract/diff/judge-requests.ts';
import { withClosedObjects } from '../../../../scripts/contract/diff/reader-writer-views.ts';
import { createReachIndex, schemaLocationsOf } from '../../../../scripts/contract/diff/schema-locations.ts';
import { serialized } from '../../../../scripts/contract/diff/sent-requests.ts';
import type { Contract } from '../../../../scripts/contract/model/contract.ts';
import { resolvePointer } from '../../../../scripts/lib/json-pointer.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import { validRequests } from '../../../../scripts/testing/requests/valid-requests.ts';
import { tryGenerate } from '../../../../scripts/testing/schema-values/arbitrary.ts';
import { isSchema } from '../../../../scripts/testing/schema-values/schema.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { valuesOf } from '../../../../scripts/testing/schema-values/values.ts';
import { contractOf } from '../../../support/documents.ts';

/**
 * Sends random messages of a changed contract to both versions: requests that the base accepts to the revision, and values
 * that the revision may send to readers of the base.
 * @param count how many messages are made
 * @returns those that one version allows and the other cannot take, with the reason
 */
export async function tryMessages(
  before: object,
  after: object,
  count: number,
  seed: number,
): Promise<string[]> {
  const [old, next] = [contractOf(before), contractOf(after)];
  const numRuns = count / 2;
  return [...(await tryRequests(old, next, { numRuns, seed })), ...tryReceived(old, next, { numRuns, seed })];
}

interface Sampling {
  /** The number of values of all locations together. */
  numRuns: number;
  seed: number;
}

/** Divides values among the places that differ. */
const shared = ({ numRuns, seed }: Sampling, places: number): Sampling => ({
  numRuns: Math.ceil(numRuns / places),
  seed,
});

async function tryRequests(old: Contract, next: Contract, sampling: Sampling): Promise<string[]> {
  const judges = [old, next].map(({ document }) => createRequestJudge(document));
  const [base, revision] = judges;
  const context = createSchemaContext(old.view('request').document);
  const operations = operationsOf(context);
  const found: string[] = [];
  for (const [index, operation] of old.operations.entries()) {
    const tested = operations[index];
    const values = tested && validRequests(context, tested);
    const requests = values && tryGenerate(() => fc.sample(values, shared(sampling, operations.length)));
    for (const request of requests ?? [])
      for (const sent of serialized(request, operation)) {
        if (!(await base?.(sent))?.isAccepted) continue;
        const verdict = await revision?.(sent);
        if (verdict?.isAccepted === false) found.push(`${JSON.stringify(sent.wire)}: ${verdict.reason}`);
      }
  }
  return found;
}

const textOf = (parts: ReadonlyMap<string, string>): string => JSON.stringify([...parts]);

/** Bodies that are JSON, and headers. */
const isTyped = /[/+]json$|header [^ ]+$/;

function tryReceived(old: Contract, next: Contract, sampling: Sampling): string[] {
  const writer = createSchemaContext(withClosedObjects(next).view('response').document);
  const reader = createSchemaContext(old.view('reader').view('response').document);
  const [inOld, inNext] = [createReachIndex(old.document), createReachIndex(next.document)];
  const known = new Map(schemaLocationsOf(old).map((site) => [site.name, site]));
  const changed = schemaLocationsOf(next).flatMap((from) => {
    const to = known.get(from.name);
    const isRead = from.direction === 'responses' && isTyped.test(from.name);
    return to && isRead && textOf(inOld.parts(to)) !== textOf(inNext.parts(from)) ? [{ from, to }] : [];
  });
  return changed.flatMap(({ from, to }) => {
    const sent = resolvePointer(writer.document, from.pointer);
    const read = resolvePointer(reader.document, to.pointer);
    if (!isSchema(sent) || !isSchema(read)) return [];
    const values = tryGenerate(() => fc.sample(valuesOf(writer, [sent]), shared(sampling, changed.length)));
    return (values ?? [])
      .filter((value) => writer.isValid(sent, value) && !reader.isValid(read, value))
      .map((value) => `${from.name} ${JSON.stringify(value)}`);
  });
}
