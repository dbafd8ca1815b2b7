import { objectOf } from '../../../server/lib/json-object.ts';
import { defineOwn } from '../../../server/lib/own-property.ts';
import { type Contract, createContract } from '../model/contract.ts';
import type { Operation } from '../model/operation.ts';
import type { Note } from './diagnosis.ts';

/** What happens to an `operationId` that an earlier operation has. */
export type RepeatedIds = 'numbered' | 'removed';

/**
 * Gives each operation an ID of its own, in the order of the document. The first operation with an ID keeps it, and each later
 * one gets a number behind it. An operation without an ID gets one if the ID that tools derive is taken.
 * @param repeated `removed` leaves a repeated `operationId` out of the document, so that a base of a check does not promise the
 * number
 * @returns the contract, or a copy if an ID has changed, and a note about each repeated `operationId`
 */
export function uniqueOperationIds(
  contract: Contract,
  repeated: RepeatedIds = 'numbered',
): { contract: Contract; notes: Note[] } {
  const { document, operations, locate } = contract;
  const documented = new Set<unknown>(operations.map(({ node }) => node.operationId));
  const owners = new Map<string, Operation>();
  const paths = { ...document.paths };
  const notes: Note[] = [];
  const numbers = new Map<string, number>();
  const unusedId = (wanted: string): string => {
    const number = (numbers.get(wanted) ?? 1) + 1;
    numbers.set(wanted, number);
    const id = `${wanted}${number}`;
    return documented.has(id) || owners.has(id) ? unusedId(wanted) : id;
  };
  let isChanged = false;
  for (const operation of operations) {
    const { id, path, method, node, pointer } = operation;
    const isDerived = node.operationId === undefined;
    const owner = owners.get(id);
    const isTaken = owner !== undefined || (isDerived && documented.has(id));
    const operationId = isTaken ? unusedId(id) : id;
    owners.set(operationId, operation);
    if (operationId === id) continue;
    isChanged = true;
    const { operationId: _repeated, ...others } = node;
    const named = repeated === 'removed' && owner && !isDerived ? others : { ...node, operationId };
    defineOwn(paths, path, { ...objectOf(paths[path]), [method]: named });
    if (owner && !isDerived)
      notes.push({
        pointer: `${pointer}/operationId`,
        sentence: `The operationId ${id} is used twice: by ${nameOf(owner)} and ${nameOf(operation)}. That of ${nameOf(operation)} is ${repeated === 'removed' ? 'not compared' : `read as ${operationId}`}.`,
        fix: 'Give each operation an ID of its own.',
      });
  }
  return { contract: isChanged ? createContract({ ...document, paths }, locate) : contract, notes };
}

const nameOf = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`;
