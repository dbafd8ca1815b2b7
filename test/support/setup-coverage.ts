import { afterAll } from 'vitest';
import { keepRecording } from './record-coverage.ts';

afterAll(keepRecording);
