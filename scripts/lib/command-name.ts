/**
 * Returns how a command was called, for its help and its messages: `npm run mock --` or `parley-contract mock`.
 * @param name the name of the command in `parley-contract`
 */
export const commandName = (name: string): string => {
  const script = process.env.npm_lifecycle_event;
  return script === undefined || script === 'npx' ? `parley-contract ${name}` : `npm run ${script} --`;
};
