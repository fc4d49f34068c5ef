// The baseline of a scan: reading an inventory without evaluating it.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

const startedAt = performance.now();
let records = 0;
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  JSON.parse(line);
  records += 1;
}
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ records, seconds, cpuSeconds: (user + system) / 1e6 }));
