import type ts from 'typescript';
import { type Contents, isEmpty } from './contents.ts';
import type { Place } from './manifest.ts';
import type { UsesRecorder } from './uses-recorder.ts';

/** Records where values leave the analysis, also through generic functions of the consumer. */
export interface Leaks {
  /** A value leaves the analysis. */
  escape: (contents: Contents, reason: string, at: Place) => void;
  /** A value is passed for a type parameter, and escapes if values of the parameter escape anywhere. */
  pass: (contents: Contents, parameter: ts.Symbol, at: Place) => void;
  /** Records the escapes of values that were passed for type parameters. Call it after all sources were read. */
  close: () => void;
}

export function createLeaks(recorder: UsesRecorder): Leaks {
  const leaking = new Map<ts.Symbol, string>();
  const passed: { contents: Contents; parameter: ts.Symbol; at: Place }[] = [];
  const record = (contents: Contents, reason: string, at: Place): void => {
    if (isEmpty(contents)) return;
    recorder.escape(contents, reason, at);
    for (const parameter of contents.parameters)
      if (!leaking.has(parameter)) leaking.set(parameter, `${reason} (${at})`);
  };
  return {
    escape: record,
    pass(contents, parameter, at) {
      if (!isEmpty(contents)) passed.push({ contents, parameter, at });
    },
    close() {
      // A value passed to a leaking parameter can contain another type parameter, which then leaks too.
      for (let count = -1; count !== leaking.size; ) {
        count = leaking.size;
        for (const { contents, parameter, at } of passed) {
          const reason = leaking.get(parameter);
          if (reason !== undefined) record(contents, reason, at);
        }
      }
    },
  };
}
