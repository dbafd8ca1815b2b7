import { ignoreClosedPipes } from '../lib/cli.ts';
import { runOperator } from './run-cli.ts';

ignoreClosedPipes();
const { env, stdin, stdout, stderr } = process;
process.exitCode = await runOperator(process.argv.slice(2), { env, stdin, stdout, stderr });
