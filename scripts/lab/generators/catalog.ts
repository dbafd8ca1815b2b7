/** A generator of clients, and how it is used. */
export interface ClientGenerator {
  /** The name of the package. */
  name: string;
  /** Installed packages with their exact versions; the generator's is one of them. */
  packages: Readonly<Record<string, string>>;
  /** The command that generates the client from `tickets.yaml` below `generated`. */
  command: readonly string[];
  /** Files that the command needs, by name. */
  files?: Readonly<Record<string, string>>;
  /** The name of the program in `programs` that calls each operation with the client. */
  program: string;
}

const axios = { axios: '1.21.1' };

const kubbConfig = `import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

export default defineConfig({
  input: { path: 'tickets.yaml' },
  output: { path: 'generated', format: false },
  plugins: [pluginOas(), pluginTs(), pluginClient()],
});
`;

/** The generators, each with its defaults. */
export const clientGenerators: readonly ClientGenerator[] = [
  {
    name: 'openapi-fetch',
    packages: { 'openapi-fetch': '0.17.0', 'openapi-typescript': '7.13.0', typescript: '5.9.3' },
    command: ['openapi-typescript', 'tickets.yaml', '--output', 'generated/client.ts'],
    program: 'openapi-fetch',
  },
  {
    name: '@hey-api/openapi-ts',
    packages: { '@hey-api/openapi-ts': '0.99.0', typescript: '5.9.3' },
    command: ['openapi-ts', '--input', 'tickets.yaml', '--output', 'generated/client'],
    program: 'hey-api',
  },
  {
    name: 'orval',
    packages: { orval: '8.38.0', ...axios },
    command: ['orval', '--input', 'tickets.yaml', '--output', 'generated/client.ts'],
    program: 'orval',
  },
  {
    name: 'swagger-typescript-api',
    packages: { 'swagger-typescript-api': '13.13.0' },
    command: [
      'swagger-typescript-api',
      ...['generate', '--path', 'tickets.yaml', '--output', 'generated', '--name', 'client.ts'],
    ],
    program: 'swagger-typescript-api',
  },
  {
    name: 'openapi-zod-client',
    packages: { 'openapi-zod-client': '1.18.3', '@zodios/core': '10.9.6', zod: '3.25.76', ...axios },
    command: ['openapi-zod-client', 'tickets.yaml', '--output', 'generated/client.ts'],
    program: 'openapi-zod-client',
  },
  {
    name: '@kubb/plugin-client',
    packages: {
      '@kubb/cli': '4.39.3',
      '@kubb/core': '4.39.3',
      '@kubb/plugin-client': '4.39.3',
      '@kubb/plugin-oas': '4.39.3',
      '@kubb/plugin-ts': '4.39.3',
      ...axios,
    },
    command: ['kubb', 'generate'],
    files: { 'kubb.config.ts': kubbConfig },
    program: 'kubb',
  },
  {
    name: '@redocly/cli',
    packages: { '@redocly/cli': '2.77.0', typescript: '5.9.3' },
    command: ['redocly', 'generate-client', 'tickets.yaml', '--output', 'generated/client.ts'],
    program: 'redocly',
  },
];
