import document from '../../generated/openapi.json' with { type: 'json' };
import { createCoverageRecorder } from '../../scripts/testing/coverage/recorder.ts';
import { saveRecording } from '../../scripts/testing/coverage/recording.ts';
import { contractOf } from './contract-of.ts';

/** The names of contract items that this process has covered, across all its test files. */
const reached = new Set<string>();

/** Records what the requests and responses of a tested service cover. */
export const observeService = lazily(true);
/** Records only which examples the responses of a mock server contain, because a mock does not test the service. */
export const observeMock = lazily(false);

type Observe = ReturnType<typeof createCoverageRecorder>['observe'];

function lazily(answersCount: boolean): Observe {
  let observe: Observe | undefined;
  return (...seen) => {
    observe ??= createCoverageRecorder(contractOf(document), reached, answersCount).observe;
    observe(...seen);
  };
}

let written = 0;

/** Writes what this process has covered so far. Called after each test file, because the process may run several. */
export function keepRecording(): void {
  if (reached.size === written) return;
  written = reached.size;
  saveRecording(reached);
}
