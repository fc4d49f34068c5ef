import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import type { Asset } from '../inventory/normalise.ts';
import { child, isTrue, type JsonObject, objects, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS, unknown } from '../outcome.ts';
import { someKnown } from '../references.ts';
import type { Rule } from '../rule.ts';
import { projectRule, resourceRule } from '../rule-kinds.ts';
import type { Snapshot } from '../snapshot.ts';
import { UnknownValue } from '../terraform/unknown-value.ts';

const SINK = 'logging.googleapis.com/LogSink';
const BUCKET = 'storage.googleapis.com/Bucket';

const logSinkAll = projectRule(
  {
    id: 'log-sink-all',
    title: 'No sink exports all logs',
    severity: 'medium',
    category: 'logging',
    assetTypes: [SINK],
    description:
      'Logs are gone when their retention ends, unless a sink copies them. At least one sink of the project, or one of its folders or organisation that includes what lies below, should be on, without a filter and without exclusions.',
    remediation:
      'Create a sink without a filter: gcloud logging sinks create SINK storage.googleapis.com/BUCKET.',
    compliance: cis({ v4: '2.2', v5: '2.3' }),
  },
  (project) => {
    const own = project.own(SINK);
    const sinks = project.of(SINK);
    const reaches = (sink: Asset) => own.includes(sink) || isTrue(sink.data, 'includeChildren');
    if (someKnown(sinks, (sink) => reaches(sink) && exportsAll(sink.data))) return PASS;
    return fail({
      message:
        sinks.length === 0
          ? 'The project has no sink, so its logs are nowhere but in its own log buckets.'
          : `Of the ${sinks.length} sinks of the project, or above it, none exports all of its logs.`,
      evidence: [
        cite(
          'name',
          sinks.map(({ name }) => name.slice(name.lastIndexOf('/') + 1)),
        ),
      ],
    });
  },
);

/** Whether a sink lets every entry through. */
function exportsAll(sink: JsonObject | null): boolean {
  if (sink === null || isTrue(sink, 'disabled')) return false;
  if (text(sink, 'filter')?.trim()) return false;
  return objects(sink, 'exclusions').every((exclusion) => isTrue(exclusion, 'disabled'));
}

const logSinkBucketLock = resourceRule(
  {
    id: 'log-sink-bucket-lock',
    title: 'Logs are exported to a bucket without a locked retention policy',
    severity: 'medium',
    category: 'logging',
    assetTypes: [SINK],
    description:
      'Who breaks in removes the traces. A bucket that takes logs should have a retention policy that is locked: then nobody, not even its owner, can delete or change an object before its time. Sinks to other destinations are not meant.',
    remediation:
      'Set a retention period and lock it, which cannot be undone: gcloud storage buckets update gs://BUCKET --retention-period=365d; gcloud storage buckets update gs://BUCKET --lock-retention-period.',
    compliance: cis({ v4: '2.3', v5: '2.4' }),
  },
  (sink, _asset, { snapshot }) => {
    const bucket = bucketOf(sink);
    if (bucket === null) return NOT_APPLICABLE;
    const retention = snapshot.derive(retentionOf).get(bucket);
    if (retention === undefined) return unknown(BUCKET);
    if (retention()) return PASS;
    return fail({
      message: `The retention policy of the bucket ${bucket}, to which this sink writes, is not locked.`,
      evidence: [cite('destination', sink.destination), cite('retentionPolicy.isLocked', false)],
    });
  },
);

/** The name of the bucket that a sink writes to: `storage.googleapis.com/b`. */
function bucketOf(sink: JsonObject): string | null {
  const destination = text(sink, 'destination') ?? '';
  return /^(?:https?:)?(?:\/\/)?storage\.googleapis\.com\/([^/]+)/.exec(destination)?.[1] ?? null;
}

/** Whether the retention policy is locked, of the buckets that sinks write to; read late, as a plan may not know it. */
function retentionOf(snapshot: Snapshot): ReadonlyMap<string, () => boolean> {
  const wanted = new Set(snapshot.of(SINK).map(({ data }) => destinationOf(data)));
  const retention = new Map<string, () => boolean>();
  for (const { name, data } of snapshot.each(BUCKET)) {
    const bucket = name.slice(name.lastIndexOf('/') + 1);
    if (data === null || !wanted.has(bucket)) continue;
    retention.set(bucket, () => isTrue(child(data, 'retentionPolicy'), 'isLocked'));
  }
  return retention;
}

function destinationOf(sink: JsonObject | null): string | null {
  try {
    return sink === null ? null : bucketOf(sink);
  } catch (error) {
    // A planned sink whose destination nobody knows: it is judged so, and wants no bucket.
    if (error instanceof UnknownValue) return null;
    throw error;
  }
}

export const LOG_SINK_RULES: readonly Rule[] = [logSinkAll, logSinkBucketLock];
