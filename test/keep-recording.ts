import { afterAll } from 'vitest';
import { keepRecording } from './coverage/record.ts';

afterAll(keepRecording);
