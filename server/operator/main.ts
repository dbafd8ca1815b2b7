import { exitWithTwoOnMisuse, ignoreClosedPipes } from '../command-line.ts';
import { createProgram } from './program.ts';

ignoreClosedPipes();
await exitWithTwoOnMisuse(createProgram()).parseAsync();
