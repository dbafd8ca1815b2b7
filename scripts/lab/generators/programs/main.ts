// Calls each operation with a generated client, and reports what it returned. Without an argument, it prints the variants.
import { survived } from 'parley-contract/survived';
import { variants } from './program.ts';

const [, , variant = ''] = process.argv;
if (variant === '') process.stdout.write(JSON.stringify(Object.keys(variants)));
const createOperations = variants[variant] ?? (() => []);
for (const call of createOperations(process.env.SURVIVE_URL, process.env.SURVIVE_TOKEN)) await survived(call);
