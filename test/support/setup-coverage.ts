import { afterAll } from 'vitest';
import { keepRecordings } from './recordings.ts';

afterAll(keepRecordings);
