import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import {
  type Allowance,
  allowancesOf,
  hasOtherSources,
  isIngress,
  isOpenToInternet,
  sourceRangesOf,
} from '../facts/firewall.ts';
import { excessOf } from '../facts/internet.ts';
import { admitsEveryPort, admitsPort, type Ports } from '../facts/ports.ts';
import type { Repair } from '../fixes/repair.ts';
import { set } from '../fixes/set.ts';
import { child, isTrue, items, type JsonValue } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { type RuleSpec, resourceRule } from '../rule-kinds.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

const FIREWALL = ['compute.googleapis.com/Firewall'];

/** Firewall policies are assets of their own, which no rule reads. */
const ONLY_VPC_RULES =
  'Only VPC firewall rules are evaluated: hierarchical and network firewall policies are not, so the rule also passes where such a policy opens the network.';

const INTERNET =
  'The sources of a rule are the internet if they cover at least 99 % of the IPv4 or of the IPv6 address space: 2000::/3, which has all IPv6 addresses that are routable today, is less and passes.';

/** A rule on what an enabled ingress allow rule accepts from the internet. */
function worldRule(
  spec: Omit<RuleSpec, 'assetTypes' | 'category'>,
  exposed: string,
  admits: (allowance: Allowance, context: RuleContext) => boolean,
): Rule {
  const whole = {
    ...spec,
    description: `${spec.description} ${INTERNET} ${ONLY_VPC_RULES}`,
    category: 'network',
    assetTypes: FIREWALL,
    fix: closeToInternet,
  } as const;
  return resourceRule(whole, (firewall, _asset, context) => {
    if (!isIngress(firewall)) return NOT_APPLICABLE;
    const allowances = allowancesOf(firewall);
    if (allowances.length === 0) return NOT_APPLICABLE;
    if (isTrue(firewall, 'disabled')) return PASS;
    const open = allowances.filter((allowance) => admits(allowance, context));
    if (open.length === 0 || !isOpenToInternet(firewall)) return PASS;
    const ranges = sourceRangesOf(firewall);
    return fail({
      message:
        ranges.length === 0
          ? `This rule has no source, so the internet can reach ${exposed} of its instances.`
          : `The internet can reach ${exposed} of the instances of this rule.`,
      evidence: [
        cite('sourceRanges', ranges.length === 0 ? null : ranges),
        ...open.map((entry) => cite(`allowed[${entry.index}]`, describe(entry))),
      ],
    });
  });
}

/** Removes the ranges that cover the internet, or disables a rule that has no other source. */
function closeToInternet(repair: Repair): void {
  const firewall = repair.data;
  const ranges = sourceRangesOf(firewall);
  const isExcess = excessOf(ranges);
  const kept = ranges.filter((range) => !isExcess(range));
  const update = 'compute firewall-rules update {name} --project={project}';
  if (kept.length === 0 && !hasOtherSources(firewall)) {
    repair.set('disabled', true);
    repair.gcloud(`${update} --disabled`);
    repair.terraform('google_compute_firewall', 'disabled', true);
    repair.caution(
      'The firewall rule has no other source range, so the fix disables the whole firewall rule.',
    );
    return;
  }
  const isRemoved = (range: JsonValue) => typeof range !== 'string' || isExcess(range);
  repair.filterOut('', ['sourceRanges', 'sourceRange'], isRemoved);
  repair.gcloud(`${update} --source-ranges={ranges}`, { ranges: kept });
  repair.terraform('google_compute_firewall', 'source_ranges', kept);
  repair.caution(
    'All ports of the rule, also those that may be public, are closed to the internet. The command replaces all source ranges with those of the inventory, without the public ones.',
  );
}

function admitsTcp(port: number): (allowance: Allowance) => boolean {
  return ({ protocol, ports }) =>
    protocol === 'all' || (protocol === 'tcp' && admitsPort(ports, port));
}

/** Whether it allows one of the ports in the parameter `ports`, over TCP or UDP. */
function admitsListedPort({ protocol, ports }: Allowance, { parameters }: RuleContext): boolean {
  if (protocol === 'all') return true;
  if (protocol !== 'tcp' && protocol !== 'udp') return false;
  return items(parameters, 'ports').some(
    (port) => typeof port === 'number' && admitsPort(ports, port),
  );
}

function admitsEverything({ protocol, ports }: Allowance): boolean {
  return (
    protocol === 'all' || ((protocol === 'tcp' || protocol === 'udp') && admitsEveryPort(ports))
  );
}

/** In gcloud's notation: `tcp:22`, `tcp:20-25,80`; the protocol alone for all of its ports. */
function describe({ protocol, ports }: Allowance): string {
  return ports === 'all' ? protocol : `${protocol}:${listOf(ports)}`;
}

function listOf(ports: Exclude<Ports, 'all'>): string {
  return ports
    .map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
    .join(',');
}

const fwLogging = resourceRule(
  {
    id: 'fw-logging',
    title: 'Firewall rule is not logged',
    severity: 'low',
    category: 'network',
    assetTypes: FIREWALL,
    description:
      'The log of a firewall rule shows which connections it allowed or denied. Without it, neither the effect of a rule nor attempted connections can be examined.',
    remediation: 'Enable logging: `gcloud compute firewall-rules update RULE --enable-logging`.',
    compliance: NO_REQUIREMENT,
    fix: set(
      { 'logConfig.enable': true },
      {
        gcloud: 'compute firewall-rules update {name} --project={project} --enable-logging',
        terraform: { google_compute_firewall: { 'log_config.metadata': 'INCLUDE_ALL_METADATA' } },
        caution: 'Logs of connections are billed by their volume, which can be large.',
      },
    ),
  },
  (firewall) => {
    const settings = child(firewall, 'logConfig');
    if (isTrue(settings, 'enable')) return PASS;
    return fail({
      message: 'Connections that this rule allows or denies are not logged.',
      evidence: [cite('logConfig.enable', settings?.enable)],
    });
  },
);

/** SQL Server, Oracle, MySQL, PostgreSQL, Redis, Elasticsearch, memcached, MongoDB, Cassandra, Kibana, Hadoop. */
const DATABASE_PORTS = [
  ...[1433, 1521, 3306, 5432, 6379, 9200, 9300, 11211, 27017, 27018, 27019, 7000, 7001, 9042],
  ...[9160, 5601, 8020, 50070],
];

/** FTP, Telnet, SMTP, RPC, NetBIOS, LDAP, SMB, Docker, etcd, VNC, WinRM, kubelet. */
const ADMIN_PORTS = [
  ...[21, 23, 25, 135, 137, 138, 139, 389, 445, 636, 2375, 2376, 2379, 5500, 5900, 5985, 5986],
  10250,
];

const NARROW_SOURCES =
  'Restrict the rule to the ranges that need it, or delete it and use Identity-Aware Proxy (35.235.240.0/20): `gcloud compute firewall-rules update RULE --source-ranges=RANGES`.';

export const FIREWALL_RULES: readonly Rule[] = [
  fwLogging,
  worldRule(
    {
      id: 'fw-ssh-world',
      title: 'SSH is open to the internet',
      severity: 'high',
      description:
        'Bots attack TCP port 22 within minutes after it is opened. An enabled ingress rule should not allow it from everywhere, whether alone, in a range or with all ports.',
      remediation: NARROW_SOURCES,
      compliance: cis({ v4: '3.6', v5: '3.6' }),
    },
    'port 22 (SSH)',
    admitsTcp(22),
  ),
  worldRule(
    {
      id: 'fw-rdp-world',
      title: 'RDP is open to the internet',
      severity: 'high',
      description:
        'TCP port 3389 is a common entry point for ransomware. An enabled ingress rule should not allow it from everywhere, whether alone, in a range or with all ports.',
      remediation: NARROW_SOURCES,
      compliance: cis({ v4: '3.7', v5: '3.7' }),
    },
    'port 3389 (RDP)',
    admitsTcp(3389),
  ),
  worldRule(
    {
      id: 'fw-all-world',
      title: 'Every port is open to the internet',
      severity: 'critical',
      description:
        'A rule that allows every protocol, or every TCP or UDP port, from everywhere provides no protection: each service that an instance starts is on the internet.',
      remediation:
        'Specify the required protocols and ports, and the ranges that need them: `gcloud compute firewall-rules update RULE --allow=PROTOCOL:PORTS --source-ranges=RANGES`.',
      compliance: NO_REQUIREMENT,
    },
    'every port',
    admitsEverything,
  ),
  worldRule(
    {
      id: 'fw-db-ports-world',
      title: 'Database port is open to the internet',
      severity: 'high',
      description:
        'Databases, caches and search engines are designed for internal networks; many accept commands without authentication. No rule should allow their ports from everywhere, whether alone, in a range or with all ports.',
      remediation: NARROW_SOURCES,
      compliance: NO_REQUIREMENT,
      parameters: { ports: DATABASE_PORTS },
    },
    'database ports',
    admitsListedPort,
  ),
  worldRule(
    {
      id: 'fw-admin-ports-world',
      title: 'Administration port is open to the internet',
      severity: 'high',
      description:
        'File sharing, directories, remote control and container host interfaces are common targets of network attacks. No rule should allow their ports from everywhere, whether alone, in a range or with all ports.',
      remediation: NARROW_SOURCES,
      compliance: NO_REQUIREMENT,
      parameters: { ports: ADMIN_PORTS },
    },
    'administration ports',
    admitsListedPort,
  ),
];
