import { afterAll } from 'vitest';
import { keepRecording } from './record-coverage.ts';
import { keepRefusals } from './record-refusals.ts';

afterAll(keepRecording);
afterAll(keepRefusals);
