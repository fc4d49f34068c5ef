import { describe, expect, it } from 'vitest';
import { unknownWithout } from './outcome.ts';
import { Snapshot } from './snapshot.ts';

const NEEDED = ['logging.googleapis.com/LogSink', 'storage.googleapis.com/Bucket'];

describe('the absence of something', () => {
  it('the absence of an asset is unknown when no asset of the needed types was exported', () => {
    const others = new Map([['compute.googleapis.com/Network', 3]]);
    expect(unknownWithout({ snapshot: new Snapshot({ assetTypes: others }) }, NEEDED)).toEqual({
      verdict: 'unknown',
      missing: NEEDED.join(', '),
    });
    const none = new Map([['storage.googleapis.com/Bucket', 0]]);
    expect(unknownWithout({ snapshot: new Snapshot({ assetTypes: none }) }, NEEDED)).not.toBeNull();
  });

  it('the absence of an asset is known if there is an asset of one of the types', () => {
    const assetTypes = new Map([['storage.googleapis.com/Bucket', 1]]);
    expect(unknownWithout({ snapshot: new Snapshot({ assetTypes }) }, NEEDED)).toBeNull();
  });
});
