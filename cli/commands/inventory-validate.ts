import { command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { interruptibleLoop } from '../interruptible-loop.ts';
import { fileSource } from '../local-file.ts';
import { quantity } from '../local-report.ts';
import { printable } from '../table.ts';
import { say } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { faultsIn } from '../validate-inventory.ts';

/** After so many errors the next ones help nobody. */
const FAULTS_MAX = 100;

export const inventoryValidate = command({
  name: 'inventory validate',
  usage: 'cspm inventory validate <file>',
  summary:
    'Checks an inventory against the JSON Schema of its records, and prints the line and the JSON pointer of each error.',
  maxArguments: 1,
  options: {},
  async run(_values, terminal, [file]) {
    if (file === undefined) throw new UsageError('Missing argument: the file name.');
    const source = fileSource(file, terminal, 'inventory validate');
    let [records, faults] = [0, 0];
    const { format, bytes } = await source.open();
    const found = faultsIn(interruptibleLoop(bytes, terminal.interrupted), format, () => {
      records += 1;
    });
    for await (const { line, pointer, message } of found) {
      faults += 1;
      const place = pointer === '' ? '' : `, ${printable(pointer)}`;
      terminal.output.write(`line ${line}${place}: ${printable(message)}\n`);
      if (faults === FAULTS_MAX) break;
    }
    if (faults > 0) {
      say(
        terminal,
        faults === FAULTS_MAX
          ? `Stopped after ${quantity(faults, 'error')}.`
          : `${quantity(faults, 'error')}.`,
      );
      return EXIT.usage;
    }
    if (records === 0) {
      say(terminal, `${printable(source.place)} contains no record.`);
      return EXIT.usage;
    }
    say(terminal, `${quantity(records, 'record')} of ${printable(source.label)}, no error.`);
    return EXIT.ok;
  },
});
