import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import {
  type Allowance,
  allowancesOf,
  isIngress,
  isOpenToInternet,
  sourceRangesOf,
} from '../facts/firewall.ts';
import { admitsEveryPort, admitsPort, type Ports } from '../facts/ports.ts';
import { child, isTrue, items } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { type RuleSpec, resourceRule } from '../rule-kinds.ts';

const FIREWALL = ['compute.googleapis.com/Firewall'];

/** A rule on what an enabled ingress allow rule lets in from the internet. */
function worldRule(
  spec: Omit<RuleSpec, 'assetTypes' | 'category'>,
  exposed: string,
  admits: (allowance: Allowance, context: RuleContext) => boolean,
): Rule {
  const whole = { ...spec, category: 'network', assetTypes: FIREWALL } as const;
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
          ? `This rule names no source, so the internet reaches ${exposed} of its instances.`
          : `The internet reaches ${exposed} of the instances that this rule is for.`,
      evidence: [
        cite('sourceRanges', ranges.length === 0 ? null : ranges),
        ...open.map((entry) => cite(`allowed[${entry.index}]`, describe(entry))),
      ],
    });
  });
}

function admitsTcp(port: number): (allowance: Allowance) => boolean {
  return ({ protocol, ports }) =>
    protocol === 'all' || (protocol === 'tcp' && admitsPort(ports, port));
}

/** Admits one of the ports that the parameter `ports` lists, be it over TCP or over UDP. */
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

/** As gcloud writes it: `tcp:22`, `tcp:20-25,80`; the protocol alone for all of its ports. */
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
      'The log of a firewall rule shows which connections it allowed or denied; without it there is no telling what a rule does, nor who tried.',
    remediation: 'Switch logging on: gcloud compute firewall-rules update RULE --enable-logging.',
    compliance: NO_REQUIREMENT,
  },
  (firewall) => {
    const settings = child(firewall, 'logConfig');
    if (isTrue(settings, 'enable')) return PASS;
    return fail({
      message: 'What this rule allows or denies is not logged.',
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
  'Limit the rule to the ranges that need it, or delete it and go through Identity-Aware Proxy (35.235.240.0/20): gcloud compute firewall-rules update RULE --source-ranges=RANGES.';

export const FIREWALL_RULES: readonly Rule[] = [
  fwLogging,
  worldRule(
    {
      id: 'fw-ssh-world',
      title: 'SSH is open to the internet',
      severity: 'high',
      description:
        'TCP port 22 is tried by robots within minutes of being opened. An enabled ingress rule should not admit it from everywhere, be it alone, in a range or with all ports.',
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
        'TCP port 3389 is a common way in for ransomware. An enabled ingress rule should not admit it from everywhere, be it alone, in a range or with all ports.',
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
        'A rule that admits every protocol, or every TCP or UDP port, from everywhere is no firewall: each service that an instance starts is on the internet.',
      remediation:
        'Name the protocols and ports that are meant, and the ranges that need them: gcloud compute firewall-rules update RULE --allow=tcp:443 --source-ranges=RANGES.',
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
        'Databases, caches and search engines are made for the network of their applications; many take commands from whoever connects. None of their ports should be admitted from everywhere, be it alone, in a range or with all ports.',
      remediation: NARROW_SOURCES,
      compliance: NO_REQUIREMENT,
      parameters: { ports: DATABASE_PORTS },
    },
    'ports of databases',
    admitsListedPort,
  ),
  worldRule(
    {
      id: 'fw-admin-ports-world',
      title: 'Port for administration is open to the internet',
      severity: 'high',
      description:
        'File sharing, directories, remote control and the interfaces of container hosts are how networks are taken over. None of their ports should be admitted from everywhere, be it alone, in a range or with all ports.',
      remediation: NARROW_SOURCES,
      compliance: NO_REQUIREMENT,
      parameters: { ports: ADMIN_PORTS },
    },
    'ports for administration',
    admitsListedPort,
  ),
];
