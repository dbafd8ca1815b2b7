import { File as NodeFile } from 'node:buffer';
import { webcrypto } from 'node:crypto';

// Node 18 has these standard globals only as imports.
if (!('crypto' in globalThis)) Object.assign(globalThis, { crypto: webcrypto });
if (!('File' in globalThis)) Object.assign(globalThis, { File: NodeFile });
