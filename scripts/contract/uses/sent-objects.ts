import ts from 'typescript';
import type { ContractPart } from './contract-types.ts';
import type { Owner, Place } from './manifest.ts';
import type { UsesRecorder } from './uses-recorder.ts';

/** Collects the properties of one sent value by the schemas that declare them. */
export interface SentObjects {
  /** Adds a part that the value can have. @param given the property of the value; undefined if it has none */
  add: (part: ContractPart, given: ts.Symbol | undefined) => void;
  /** Records all objects. */
  record: () => void;
}

/**
 * @param open whether the value may have properties that its type does not name
 */
export function createSentObjects(recorder: UsesRecorder, open: boolean, at: Place): SentObjects {
  const objects = new Map<string, { owner: Owner; properties: Set<string>; always: Set<string> }>();
  return {
    add(part, given) {
      if (part.kind === 'parameter') {
        if (given || open) recorder.parameter(part, at);
        return;
      }
      const owner = { schema: part.schema, operation: part.operation };
      const key = JSON.stringify(owner);
      const object = objects.get(key) ?? { owner, properties: new Set(), always: new Set() };
      if (given) object.properties.add(part.property);
      if (given && !(given.flags & ts.SymbolFlags.Optional)) object.always.add(part.property);
      objects.set(key, object);
    },
    record() {
      for (const { owner, properties, always } of objects.values())
        recorder.send(owner, { properties: [...properties], always: [...always], open }, at);
    },
  };
}
