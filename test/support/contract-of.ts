import { type Contract, createContract } from '../../scripts/contract/model/contract.ts';

/** Reads a document as a contract. A document without a version is of OpenAPI 3.1. */
export const contractOf = (document: object): Contract => createContract({ openapi: '3.1.1', ...document });
