import { describe, expect, it } from 'vitest';
import { FilterTooLarge, parseLogFilter } from './filter.ts';
import { demandsOf, matches } from './match.ts';

const ENTRY = new Map([
  ['logname', 'projects/p/logs/cloudaudit.googleapis.com%2factivity'],
  ['severity', 'notice'],
  ['resource.type', 'gce_route'],
  ['resource.labels.project_id', 'p'],
  ['protopayload.servicename', 'Compute.googleapis.com'],
  ['protopayload.@type', 'type.googleapis.com/google.cloud.audit.auditlog'],
  ['protopayload.methodname', 'v1.compute.routes.insert'],
  ['protopayload.servicedata.delta.role', 'roles/owner'],
]);

function isShown(filter: string): boolean | null {
  const parsed = parseLogFilter(filter);
  if (parsed === null) throw new Error(`${filter} is no filter`);
  return matches(parsed, ENTRY);
}

describe('an entry', () => {
  it.each([
    'resource.type="gce_route"',
    "resource.type = 'gce_route'",
    'resource.type:route',
    'RESOURCE.TYPE=GCE_ROUTE',
    'resource.type=("gce_network" OR "gce_route")',
    'resource.type=(gce_route)',
    'resource.type!="gce_network"',
    'resource.type=~"^gce_(network|route)$"',
    'protoPayload.methodName=~"routes\\.(insert|delete)"',
    'protoPayload.serviceName="compute.GOOGLEAPIS.com"',
    'protoPayload.serviceName=~"^Compute"',
    'protoPayload.serviceName=~"(?i)^COMPUTE"',
    'protoPayload.serviceName!~"^compute"',
    'NOT resource.type="gce_network"',
    '-resource.type="gce_network"',
    '- "nowhere to be found"',
    'resource.type="gce_route" protoPayload.methodName:"routes"',
    'resource.type="gce_route"\n-- only those that are new\nprotoPayload.methodName:insert',
    '"routes.insert"',
    'protoPayload.serviceData.delta:*',
    'protoPayload.serviceData:"roles/owner"',
    'protoPayload."@type"="type.googleapis.com/google.cloud.audit.AuditLog"',
    'severity>=NOTICE severity<"ERROR"',
    'logName="projects/other/logs/cloudaudit.googleapis.com%2Factivity"',
    'logName:"cloudaudit.googleapis.com"',
    'log_id("cloudaudit.googleapis.com/activity")',
    'search("owner")',
    'source("projects/p")',
    'resource.type=gce_route OR NOT sample(insertId, 0.1)',
    'resource.type=gce_route AND (nowhere OR owner)',
    'owner (nowhere OR route)',
  ])('a log entry matches the filter %s', (filter) => {
    expect(isShown(filter)).toBe(true);
  });

  it.each([
    'resource.type="gce"',
    'resource.type="gce_network"',
    'resource.type=("gce_network" OR "gce_firewall_rule")',
    'NOT resource.type:gce',
    'NOT (resource.type=x OR resource.type=gce_route)',
    'resource.type!="gce_route"',
    'protoPayload.methodName!~"routes"',
    'protoPayload.methodName=~"Routes"',
    'protoPayload.serviceName=~"^compute"',
    'protoPayload.request:*',
    'severity>NOTICE',
    'severity>=ERROR',
    'log_id("cloudaudit.googleapis.com/data_access")',
    'sample(insertId, 0.1)',
    'NOT sample(insertId, 0.1)',
    'resource.type=gce_route AND NOT ip_in_net(httpRequest.remoteIp, "10.0.0.0/8")',
    'NOT (resource.type=gce_network OR NOT (owner AND -sample(insertId, 0.1)))',
    'NOT source("projects/p")',
    'resource.type=gce_route and owner',
    'resource.type=gce_route AND (nowhere or owner)',
    'not resource.type=gce_network',
    'resource.type="gce_route" AND protoPayload.methodName="compute.routes.insert"',
  ])('a log entry does not match the filter %s', (filter) => {
    expect(isShown(filter)).toBe(false);
  });

  it.each([
    'protoPayload.methodName=~"(routes){9999}"',
    'protoPayload.methodName!~"(routes){9999}"',
    'NOT protoPayload.methodName=~"[a-z]{2,}"',
    'protoPayload.methodName=~"("',
    `protoPayload.methodName=~"${'x'.repeat(1_001)}"`,
    `protoPayload.methodName!~"${'x'.repeat(1_001)}"`,
    'resource.type="gce_route" AND protoPayload.methodName!~"[a-z]{2,}"',
    'resource.type="gce_network" OR protoPayload.methodName=~"[a-z]{2,}"',
    'protoPayload.methodName=~"[a-z]{2,}" AND (resource.type="gce_route" OR severity=ERROR)',
  ])('whether a log entry matches the filter %s is unknown', (filter) => {
    expect(isShown(filter)).toBeNull();
  });

  it('an unsupported regular expression does not matter where the rest of the filter decides', () => {
    const unsupported = 'protoPayload.methodName=~"[a-z]{2,}"';
    expect(isShown(`resource.type="gce_network" AND ${unsupported}`)).toBe(false);
    expect(isShown(`${unsupported} AND resource.type="gce_network"`)).toBe(false);
    expect(isShown(`${unsupported} OR resource.type="gce_route"`)).toBe(true);
    expect(isShown('protoPayload.request=~"[a-z]{2,}"')).toBe(false);
    expect(isShown('protoPayload.request!~"[a-z]{2,}"')).toBe(true);
  });

  it('a log filter has the precedence of the language: NOT before OR before AND', () => {
    expect(isShown('nowhere AND owner OR route')).toBe(false);
    expect(isShown('(nowhere AND owner) OR route')).toBe(true);
    expect(isShown('owner OR nowhere AND route')).toBe(true);
    expect(isShown('NOT nowhere OR nowhere')).toBe(true);
  });
});

describe('invalid filters', () => {
  it.each([
    '',
    '  -- nothing but a comment',
    '(resource.type="x"',
    'resource.type="x")',
    'resource.type=',
    'resource.type="x',
    'AND',
    'a OR',
    'NOT',
    'log_id("x"',
    'a ! b',
  ])('the invalid log filter %j is refused', (filter) => {
    expect(parseLogFilter(filter)).toBeNull();
  });

  it('an invalid log filter is refused at any depth', () => {
    for (const filter of ['('.repeat(19_000), `${'NOT '.repeat(4_900)}x`]) {
      expect(parseLogFilter(filter)).toBeNull();
    }
  });
});

describe('a log filter beyond the limits', () => {
  it.each([
    ['20,000 characters', 'x'.repeat(20_001)],
    ['2,000 terms', 'x '.repeat(2_001)],
    ['16 regular expressions', 'a=~b '.repeat(17)],
    ['16 regular expressions in a list', `a=~(${Array(17).fill('b').join(' OR ')})`],
  ])('a log filter with more than %s is refused', (_what, filter) => {
    expect(() => parseLogFilter(filter)).toThrow(FilterTooLarge);
  });

  it('a log filter at exactly the limits is accepted', () => {
    for (const filter of ['x'.repeat(20_000), 'x '.repeat(2_000), 'a=~b '.repeat(16)]) {
      expect(parseLogFilter(filter)).not.toBeNull();
    }
  });
});

describe('the required terms of a filter', () => {
  it('the required terms of a log filter are those outside of every NOT', () => {
    const filter = parseLogFilter('a=1 AND NOT (b=2 OR NOT c=3) AND ("x" OR log_id("y"))');
    const demands = filter === null ? [] : demandsOf(filter);
    expect(demands.map((demand) => ('value' in demand ? demand.value : demand.kind))).toEqual([
      '1',
      'x',
      'call',
    ]);
  });
});
