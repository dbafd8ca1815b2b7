import { createApp } from './app.mts';

const port = Number(process.env.PORT ?? 3000);
createApp().listen(port, () => process.stdout.write(`Listening on http://127.0.0.1:${port}/notes\n`));
