import { afterAll } from 'vitest';
import { endAll } from './temporary-folder.ts';

afterAll(endAll);
