import { readYaml } from '../../../support/read-yaml.ts';

/** `Book` is received from three operations and a webhook, and sent to one. `Author` is a part of it. */
export const bookContract = (): { openapi: string } => readYaml(import.meta.dirname, 'book-contract.yaml');
