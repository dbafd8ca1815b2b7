import { defineConfig } from 'parley-contract';

export default defineConfig({ api: 'openapi.yaml', out: 'generated' });
