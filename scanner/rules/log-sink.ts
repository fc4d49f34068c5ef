import { cis } from '../compliance.ts';
import { cite, ELEMENTS_MAX } from '../evidence.ts';
import { destinationBucketOf, knownDestinationBucketOf } from '../facts/sink-destination.ts';
import type { Asset } from '../inventory/normalise.ts';
import { child, isTrue, type JsonObject, objects, text } from '../json.ts';
import { FILTER_MAX } from '../log-filter/filter.ts';
import { fail, NOT_APPLICABLE, PASS, unknown } from '../outcome.ts';
import { someInGroups } from '../reference-asset-groups.ts';
import { someKnown } from '../references.ts';
import type { Rule } from '../rule.ts';
import { projectRule, resourceRule } from '../rule-kinds.ts';
import type { Snapshot } from '../snapshot.ts';

/*
 * Fields: logging v2, discovery revision 20260911.
 * Fields: storage v1, discovery revision 20261009.
 */

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
      'Logs are deleted when their retention ends, unless a sink copies them. At least one sink of the project, or of a parent folder or organization that includes children, should be enabled without a filter and without exclusions.',
    remediation:
      'Create a sink without a filter: `gcloud logging sinks create SINK storage.googleapis.com/BUCKET`. Nothing is written before the writer identity of the sink, which the command prints, may create objects: `gcloud storage buckets add-iam-policy-binding gs://BUCKET --member=WRITER --role=roles/storage.objectCreator`.',
    compliance: cis({ v4: '2.2', v5: '2.3' }),
    noFix: 'needs a destination',
  },
  (project) => {
    const own = project.own(SINK);
    const above = project.above(SINK);
    const exports = [() => someExport([own]), () => someExportFromAbove(above)];
    if (someKnown(exports, (some) => some())) return PASS;
    const count = above.reduce((sum, group) => sum + group.length, own.length);
    return fail({
      message: messageFor(count),
      evidence: [cite('name', namesIn([own, ...above]), count)],
    });
  },
);

function messageFor(count: number): string {
  if (count === 0) return 'The project has no sink, so its logs exist only in its own log buckets.';
  const where = 'of the project, its folders or its organization';
  return count === 1
    ? `The only sink ${where} does not export all logs of the project.`
    : `None of the ${count} sinks ${where} exports all logs of the project.`;
}

const someExport = someInGroups(({ data }) => exportsAll(data));
const someExportFromAbove = someInGroups(
  ({ data }) => isTrue(data, 'includeChildren') && exportsAll(data),
);

/** The first names; more exist than are cited. */
function namesIn(groups: readonly (readonly Asset[])[]): readonly string[] {
  const names: string[] = [];
  for (const group of groups) {
    for (const { name } of group) {
      if (names.length > ELEMENTS_MAX) return names;
      names.push(name.slice(name.lastIndexOf('/') + 1));
    }
  }
  return names;
}

/** Whether a sink exports every entry. */
function exportsAll(sink: JsonObject | null): boolean {
  if (sink === null || isTrue(sink, 'disabled')) return false;
  const filter = text(sink, 'filter');
  // A filter that was truncated for storage may continue after the blanks.
  if (filter !== null && (filter.length > FILTER_MAX || filter.trim() !== '')) return false;
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
      'Intruders delete logs. A bucket that stores logs should have a locked retention policy: then nobody, including its owner, can delete or change an object early. Sinks to other destinations are not checked.',
    remediation:
      'Set a retention period and lock it (irreversible): `gcloud storage buckets update gs://BUCKET --retention-period=365d`; `gcloud storage buckets update gs://BUCKET --lock-retention-period`.',
    compliance: cis({ v4: '2.3', v5: '2.4' }),
    noFix: 'the lock of the bucket is irreversible',
  },
  (sink, _asset, { snapshot }) => {
    const bucket = destinationBucketOf(sink);
    if (bucket === null) return NOT_APPLICABLE;
    const retention = snapshot.derive(retentionOf).get(bucket);
    if (retention === undefined) return unknown(BUCKET);
    if (retention()) return PASS;
    return fail({
      message: `The retention policy of the bucket ${bucket}, the destination of this sink, is not locked.`,
      evidence: [cite('destination', sink.destination), cite('retentionPolicy.isLocked', false)],
    });
  },
);

/** Whether the retention policy of a sink's bucket is locked; evaluated lazily, because a plan may not know it. */
function retentionOf(snapshot: Snapshot): ReadonlyMap<string, () => boolean> {
  const wanted = new Set(snapshot.of(SINK).map(({ data }) => knownDestinationBucketOf(data)));
  const retention = new Map<string, () => boolean>();
  for (const { name, data } of snapshot.each(BUCKET)) {
    const bucket = name.slice(name.lastIndexOf('/') + 1);
    if (data === null || !wanted.has(bucket)) continue;
    retention.set(bucket, () => isTrue(child(data, 'retentionPolicy'), 'isLocked'));
  }
  return retention;
}

export const LOG_SINK_RULES: readonly Rule[] = [logSinkAll, logSinkBucketLock];
