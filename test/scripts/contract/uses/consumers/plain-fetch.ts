// Has no client. The type of the result is its own.
export interface Field {
  name: string;
  type: string;
}

const response = await fetch(`${process.env.PARLEY}/api/v1/fields`, {
  headers: { Authorization: `Bearer ${process.env.TOKEN}` },
});
const fields = (await response.json()) as Field[];
process.stdout.write(fields.map(({ name, type }) => `${name}: ${type}`).join('\n'));
