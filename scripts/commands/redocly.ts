import { spawn } from 'node:child_process';
import { redoclyCommand } from '../lib/redocly-cli.ts';

const { command, given, env } = redoclyCommand(process.argv.slice(2));
const child = spawn(command, given, { stdio: 'inherit', env });
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
