import { describe, expect, it } from 'vitest';
import { metadataOf, metadataSwitch } from './metadata.ts';

const KEY = 'serial-port-enable';

describe('a switch in the metadata', () => {
  it.each(['TRUE', 'true', 'True', '1', 'yes', 'YES', 'Y', 'y', ' true ', true, 1])(
    'the metadata value %j enables a setting',
    (value) => {
      const instance = {
        metadata: {
          items: [
            { key: 'other', value: '0' },
            { key: KEY, value },
          ],
        },
      };
      expect(metadataSwitch(metadataOf(instance), KEY)).toBe(true);
    },
  );

  it.each(['FALSE', '0', 'no', '', 'on', 2, null, {}])(
    'the metadata value %j disables a setting',
    (value) => {
      expect(metadataSwitch({ items: [{ key: KEY, value }] }, KEY)).toBe(false);
    },
  );

  it('a missing metadata value neither enables nor disables a setting', () => {
    expect(metadataSwitch(null, KEY)).toBeNull();
    expect(metadataSwitch({ items: 'none' }, KEY)).toBeNull();
    expect(metadataSwitch({ items: [{ value: 'true' }, null, 7] }, KEY)).toBeNull();
  });
});
