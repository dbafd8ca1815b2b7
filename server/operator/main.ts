import { ignoreBrokenPipe } from '../lib/cli.ts';
import { runCli } from './run-cli.ts';

ignoreBrokenPipe();
const { env, stdin, stdout, stderr } = process;
process.exitCode = await runCli(process.argv.slice(2), { env, stdin, stdout, stderr });
