// Writes rows of the schemas of the export files with json-schema-faker, and tells how many it writes in a second.
//
//   node faker.mjs SCHEMAS MILLISECONDS KIND=FILE...
//
// SCHEMAS is the directory of the schema files; FILE is the schema of a file, "legacy/userbase.row.json". For each kind it
// prints the kind, the rows per second and the bytes per row.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createGeneratorSync } from 'json-schema-faker';

const [directory, milliseconds, ...kinds] = process.argv.slice(2);
const documents = new Map();

function load(file) {
  if (!documents.has(file)) documents.set(file, JSON.parse(readFileSync(path.join(directory, file), 'utf8')));
  return documents.get(file);
}

// inline puts what a schema refers to in the place of the reference, as the generator knows only one document.
function inline(schema, file) {
  if (Array.isArray(schema)) return schema.map((item) => inline(item, file));
  if (schema === null || typeof schema !== 'object') return schema;
  const { $ref, $defs, $id, $schema, examples, ...rest } = schema;
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('x-')).map(([name, value]) => [name, inline(value, file)]));
  if (!$ref) return own;
  const [name, pointer = ''] = $ref.split('#');
  const target = name ? path.posix.join(path.posix.dirname(file), name) : file;
  let found = load(target);
  for (const step of pointer.split('/').slice(1)) found = found[step];
  return { ...inline(found, target), ...own };
}

for (const argument of kinds) {
  const [kind, file] = argument.split('=');
  const output = load(file);
  const list = output.type === 'array';
  const schema = inline(list ? output.items : output, file);
  const generator = createGeneratorSync({ alwaysFakeOptionals: true });
  const text = (row) => (list ? `${JSON.stringify(row)},\n` : `${Object.values(row).join(';')}\n`);
  let rows = 0;
  let bytes = 0;
  try {
    text(generator.generate(schema)); // compiled, if it compiles anything
    const began = performance.now();
    const used = process.cpuUsage();
    while (rows < 10 || (rows < 1e5 && performance.now() - began < Number(milliseconds))) {
      bytes += text(generator.generate(schema)).length;
      rows += 1;
    }
    const { user, system } = process.cpuUsage(used);
    console.log(kind, rows / ((user + system) / 1e6), bytes / rows);
  } catch (problem) {
    console.error(`${kind}: ${problem.message}`);
  }
}
