import express from 'express';
import { validation } from './validation.js';

export const app = express();
app.use(express.json());
app.get('/health', (_req, res) => res.send('ok'));
app.use(validation);
// biome-ignore lint/correctness/noUnusedFunctionParameters: Express counts them.
app.use((error, _req, res, next) => {
  res.status(error.status ?? 500).json({ message: error.message });
});
