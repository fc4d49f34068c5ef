import { describe, expect, it } from 'vitest';
import { ReferenceSelection } from './reference-selection.ts';

const BUCKET = 'storage.googleapis.com/Bucket';
const SINK = 'logging.googleapis.com/LogSink';

function recordOf(type: string, name: string, data: object) {
  return { name, type, text: JSON.stringify({ name, asset_type: type, resource: { data } }) };
}

const bucket = (name: string) => recordOf(BUCKET, `//storage.googleapis.com/${name}`, {});
const sinkTo = (destination: string) =>
  recordOf(SINK, '//logging.googleapis.com/projects/p/sinks/s', { name: 's', destination });

describe('the reference assets of an inventory', () => {
  it('a bucket is a reference asset only if a sink of the inventory writes to it', () => {
    const selection = new ReferenceSelection();
    selection.note(bucket('other'));
    selection.note(sinkTo('storage.googleapis.com/logs'));
    selection.note(sinkTo('bigquery.googleapis.com/projects/p/datasets/other'));
    expect(selection.referenceAssetOf(bucket('logs'))).toContain('"//storage.googleapis.com/logs"');
    expect(selection.referenceAssetOf(bucket('other'))).toBeNull();
  });

  it('every bucket is a reference asset when the sinks write to more buckets than are remembered', () => {
    const selection = new ReferenceSelection();
    selection.note(sinkTo('storage.googleapis.com/logs'));
    selection.note(sinkTo(`storage.googleapis.com/${'x'.repeat(8 * 1024 * 1024)}`));
    expect(selection.referenceAssetOf(bucket('logs'))).not.toBeNull();
    expect(selection.referenceAssetOf(bucket('other'))).not.toBeNull();
  });

  it('a bucket whose name contains a project is a reference asset, because the project is learnt from it', () => {
    const selection = new ReferenceSelection();
    const named = bucket('projects/p/buckets/b');
    expect(selection.referenceAssetOf(named)).not.toBeNull();
  });

  it('a sink is a reference asset wherever it writes to, and an instance is none', () => {
    const selection = new ReferenceSelection();
    expect(selection.referenceAssetOf(sinkTo('storage.googleapis.com/logs'))).not.toBeNull();
    const instance = recordOf('compute.googleapis.com/Instance', '//compute/projects/p/i', {});
    expect(selection.referenceAssetOf(instance)).toBeNull();
  });
});
