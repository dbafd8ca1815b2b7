import { defineConfig } from 'vite';

const server = process.env.SERVER_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  // In production, your server serves the page, so that both have the same origin.
  server: { proxy: { '/api/v1': server, '/changes': server } },
});
