const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const express = require('express');
const Joi = require('joi');
const multer = require('multer');
const { validation } = require('./validation.js');

const inMemory = multer();
const onDisk = multer({ dest: mkdtempSync(join(tmpdir(), 'documents-')) });

/** The fields of each kind, which the contract does not describe. */
const kinds = {
  letter: Joi.object({ kind: Joi.string(), title: Joi.string().min(2).required(), to: Joi.string() }),
  invoice: Joi.object({ kind: Joi.string(), title: Joi.string(), total: Joi.number().positive().required() }),
};

const stored = (files) => ({
  files: files.length,
  bytes: files.reduce((sum, { size }) => sum + size, 0),
});

const documents = new Map([[1, { id: 1, kind: 'letter', title: 'Hello' }]]);
const app = express();
app.use('/documents', express.json());
app.use('/photos', inMemory.array('photos'));
app.use(validation);

// Only the test sends this header.
app.use((req, res, next) => {
  const what = req.get('X-Break');
  if (what === 'body') res.json({ id: 1, kind: 'poem', title: 'Hello' });
  else if (what === 'missing') res.status(201).json({ files: 1 });
  else if (what === 'type') res.status(201).type('text').send('stored');
  else next();
});

app.post('/documents', (req, res, next) => {
  const { value, error } = kinds[req.body.kind].validate(req.body);
  if (error) return next(Object.assign(error, { status: 422 }));
  const document = { title: 'Untitled', ...value, id: documents.size + 1 };
  documents.set(document.id, document);
  res.status(201).json(document);
});

app.get('/documents/:id', (req, res, next) => {
  const document = documents.get(Number(req.params.id));
  if (!document) return next(Object.assign(new Error('There is no such document.'), { status: 404 }));
  res.json(document);
});

app.post('/photos', (req, res) => {
  res.status(201).json({ ...stored(req.files), album: req.body.album });
});

app.post('/imports', onDisk.array('files', 5), (req, res) => {
  res.status(201).json({ ...stored(req.files), note: req.body.note });
});

app.put('/archive/:name', async (req, res, next) => {
  try {
    let bytes = 0;
    for await (const chunk of req) bytes += chunk.length;
    res.status(201).json({ files: 1, bytes });
  } catch (error) {
    next(error);
  }
});

// biome-ignore lint/correctness/noUnusedFunctionParameters: Express counts them.
app.use((error, _req, res, next) => {
  res
    .status(error.status ?? (error instanceof multer.MulterError ? 400 : 500))
    .json({ error: error.message });
});

exports.app = app;
