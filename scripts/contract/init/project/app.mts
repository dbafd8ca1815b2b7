import express from 'express';
import { contract, type Handlers, type Observe } from 'parley-contract-runtime';
import { contract as compiled } from './generated/contract.js';
import type { OperationTypes, operations } from './generated/operations.ts';

const notes: { id: number; text: string }[] = [];

// A missing handler, or a status code that the contract does not document, is a type error.
const handlers = {
  listNotes: async ({ query }) => ({ status: 200, body: notes.slice(0, query.limit) }),
  createNote: async ({ body }) => {
    const note = { id: notes.length + 1, text: body.text };
    notes.push(note);
    return { status: 201, body: note };
  },
  getNote: async ({ path }) => {
    const note = notes.find(({ id }) => id === path.id);
    return note
      ? { status: 200, body: note }
      : { status: 404, body: { title: 'There is no such note.', status: 404 } };
  },
} satisfies Handlers<OperationTypes, typeof operations>;

/** @param observe sees requests and responses, so that tests can record coverage */
export const createApp = (observe?: Observe) => express().use(contract(compiled, { handlers, observe }));
