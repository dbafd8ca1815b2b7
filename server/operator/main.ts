import { ignoreClosedPipes } from '../command-line.ts';
import { runOperator } from './run-operator.ts';

ignoreClosedPipes();
const { env, stdin, stdout, stderr } = process;
process.exitCode = await runOperator(process.argv.slice(2), { env, stdin, stdout, stderr });
