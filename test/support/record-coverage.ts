import document from '../../generated/openapi.json' with { type: 'json' };
import { once } from '../../scripts/lib/once.ts';
import { type CoverageRecorder, createCoverageRecorder } from '../../scripts/testing/coverage/recorder.ts';
import { saveRecording } from '../../scripts/testing/coverage/recording.ts';
import { contractOf } from './contract-of.ts';

/** The names of contract items that this process has covered, across all its test files. */
const reached = new Set<string>();

const recorder = once(() => createCoverageRecorder(contractOf(document), reached));

/** Records what the requests and responses of a tested service cover. */
export const observeService: CoverageRecorder['observe'] = (...seen) => recorder().observe(...seen);

let written = 0;

/** Writes what this process has covered so far. Called after each test file, because the process may run several. */
export function keepRecording(): void {
  if (reached.size === written) return;
  written = reached.size;
  saveRecording('reached', reached);
}
