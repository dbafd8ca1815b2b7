import { app } from './app.js';

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
