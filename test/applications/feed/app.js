const { EventEmitter } = require('node:events');
const express = require('express');
const { validation } = require('./validation.js');

const posted = new EventEmitter();
const messages = [
  { id: 1, text: 'Hello', tags: [] },
  { id: 2, text: 'Lunch?', tags: ['food', 'today'] },
];

const app = express();
app.use(express.json());
app.use(validation);

app.get('/api/messages', (req, res) => {
  // Only the test sends this header.
  if (req.get('X-Break') === 'body') return res.json([{ id: 'one', text: 'Hello', tags: [] }]);
  if (req.get('X-Break') === 'status') return res.status(203).json([]);
  const { limit, tags = [] } = req.query;
  res.json(messages.filter((each) => tags.every((tag) => each.tags.includes(tag))).slice(-limit));
});

app.post('/api/messages', (req, res) => {
  const message = { id: messages.length + 1, tags: [], ...req.body };
  messages.push(message);
  posted.emit('message', message);
  res.status(201).json(message);
});

app.get('/api/messages/:id', (req, res, next) => {
  const message = messages.find(({ id }) => id === Number(req.params.id));
  if (!message) return next(Object.assign(new Error('There is no such message.'), { status: 404 }));
  res.json(message);
});

app.get('/api/stream', (req, res) => {
  if (req.get('X-Break') === 'type') return res.json({ message: 'no stream' });
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  const send = (message) => res.write(`id: ${message.id}\ndata: ${JSON.stringify(message)}\n\n`);
  for (const message of messages) if (message.id > req.query.since) send(message);
  posted.on('message', send);
  req.on('close', () => posted.off('message', send));
});

// biome-ignore lint/correctness/noUnusedFunctionParameters: Express counts them.
app.use((error, _req, res, next) => {
  res.status(error.status ?? 500).json({ message: error.message, errors: error.errors });
});

exports.app = app;
