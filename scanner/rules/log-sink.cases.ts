import type { Asset } from '../inventory/normalise.ts';
import type { JsonObject } from '../json.ts';
import { assetOf } from '../testing/asset.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const SINK = 'logging.googleapis.com/LogSink';

function sink(data: JsonObject, parent = 'projects/p', ...ancestors: readonly string[]): Asset {
  const name = `//logging.googleapis.com/${parent}/sinks/s${JSON.stringify(data).length}`;
  return assetOf({ type: SINK, name, ancestors, data });
}

const project = assetOf({
  type: 'cloudresourcemanager.googleapis.com/Project',
  name: '//cloudresourcemanager.googleapis.com/projects/1',
  ancestors: ['projects/1', 'folders/2', 'organizations/3'],
  data: { projectNumber: '1', projectId: 'p' },
});

const [P, Q] = ['1', '2'].map(
  (number) => `//cloudresourcemanager.googleapis.com/projects/${number}`,
);
const two = [
  sink({}, 'projects/1', 'projects/1'),
  sink({ filter: 'x' }, 'projects/2', 'projects/2'),
];

const toBucket = (bucket: string) => sink({ destination: `storage.googleapis.com/${bucket}` });
const bucket = (name: string, data?: JsonObject) =>
  assetOf({
    type: 'storage.googleapis.com/Bucket',
    name: `//storage.googleapis.com/${name}`,
    ...(data === undefined ? {} : { data }),
  });
const locked = { retentionPolicy: { retentionPeriod: '31536000', isLocked: true } };

export const LOG_SINK_CASES: readonly RuleCases[] = [
  {
    rule: 'log-sink-all',
    pass: [
      { name: 'a sink without a filter', others: [sink({ destination: 'd' })] },
      { name: 'a sink with a blank filter', others: [sink({ filter: ' \n' })] },
      {
        name: 'one among others, with what others leave out',
        others: [sink({ filter: 'severity>=ERROR' }), sink({ disabled: false, filter: '' })],
      },
      {
        name: 'a sink whose exclusions are all off',
        others: [sink({ exclusions: [{ name: 'debug', filter: 'x', disabled: true }] })],
      },
      {
        name: 'a sink of the organization that includes what is below',
        others: [project, sink({ includeChildren: true }, 'organizations/3', 'organizations/3')],
      },
      {
        name: 'a sink of a folder above that includes what is below',
        others: [project, sink({ includeChildren: true }, 'folders/2')],
      },
      {
        name: 'an organization that nothing says is not that of the project',
        others: [sink({ filter: 'x' }), sink({ includeChildren: true }, 'organizations/9')],
      },
      {
        name: 'a project beside one without such a sink',
        others: two,
        ...(P ? { project: P } : {}),
      },
    ],
    fail: [
      { name: 'a sink with a filter', others: [sink({ filter: 'severity>=ERROR' })] },
      { name: 'a sink that is off', others: [sink({ disabled: true })] },
      {
        name: 'a sink with an exclusion',
        others: [sink({ exclusions: [{ name: 'debug', filter: 'x' }] })],
      },
      {
        name: 'a sink with one exclusion off and one on',
        others: [sink({ exclusions: [{ filter: 'x', disabled: true }, { filter: 'y' }] })],
      },
      {
        name: 'a sink of the organization for itself',
        others: [project, sink({ filter: '' }, 'organizations/3', 'organizations/3')],
      },
      {
        name: 'a sink of another folder',
        others: [project, sink({ includeChildren: true }, 'folders/9')],
      },
      { name: 'a project beside one with such a sink', others: two, ...(Q ? { project: Q } : {}) },
    ],
    na: 'never',
    unknown: [
      { name: 'an export without sinks', others: [project] },
      { name: 'an export of buckets and a project', others: [project, bucket('b', {})] },
    ],
  },
  {
    rule: 'log-sink-bucket-lock',
    pass: [
      { name: 'a locked bucket', asset: toBucket('logs'), others: [bucket('logs', locked)] },
      {
        name: 'a locked bucket beside others',
        asset: toBucket('logs'),
        others: [bucket('logs-2', {}), bucket('logs', locked)],
      },
    ],
    fail: [
      {
        name: 'a bucket without a retention policy',
        asset: toBucket('logs'),
        others: [bucket('logs', {}), bucket('other', locked)],
      },
      {
        name: 'a retention policy that is not locked',
        asset: toBucket('logs'),
        others: [bucket('logs', { retentionPolicy: { retentionPeriod: '1', isLocked: false } })],
      },
      {
        name: 'a sink of the organization',
        asset: sink({ destination: 'storage.googleapis.com/logs' }, 'organizations/3'),
        others: [bucket('logs', {})],
      },
      {
        name: 'a sink that is off, which can be switched on again',
        asset: sink({ destination: 'storage.googleapis.com/logs', disabled: true }),
        others: [bucket('logs', {})],
      },
    ],
    na: [
      {
        name: 'a dataset of BigQuery',
        asset: sink({ destination: 'bigquery.googleapis.com/projects/p/datasets/d' }),
      },
      {
        name: 'a topic of Pub/Sub',
        asset: sink({ destination: 'pubsub.googleapis.com/projects/p/topics/storage' }),
      },
      {
        name: 'a log bucket',
        asset: sink({
          destination: 'logging.googleapis.com/projects/p/locations/global/buckets/_Default',
        }),
      },
    ],
    unknown: [
      ...resourceCases(SINK).unknown,
      { name: 'an export without buckets', asset: toBucket('logs') },
      {
        name: 'a bucket that is not in the export',
        asset: toBucket('logs'),
        others: [bucket('other', locked)],
      },
      {
        name: 'a bucket whose export has only its name',
        asset: toBucket('logs'),
        others: [bucket('logs')],
      },
    ],
  },
];
