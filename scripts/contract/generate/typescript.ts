import { createRequire } from 'node:module';
import type typescript from 'typescript';

/**
 * The TypeScript that openapi-typescript uses: npm may install another one for it than for the toolchain, and the numbers
 * of the kinds of nodes differ between versions.
 */
export const ts: typeof typescript = createRequire(import.meta.resolve('openapi-typescript'))('typescript');
