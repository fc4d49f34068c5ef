import type { JsonObject, JsonValue } from '../json.ts';
import { type RuleCase, type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const firewall = resourceCases('compute.googleapis.com/Firewall');

/** A rule that allows one entry from everywhere, unless `rest` overrides it. */
function open(entry: JsonObject, rest: JsonObject = {}): JsonObject {
  return { direction: 'INGRESS', allowed: [entry], sourceRanges: ['0.0.0.0/0'], ...rest };
}

/** Cases that all rules on exposure to the internet share; with `entry` alone the rule would fail. */
function worldCases(rule: string, entry: JsonObject, cases: Pick<RuleCases, 'fail' | 'pass'>) {
  const from = (name: string, rest: JsonObject): RuleCase => firewall.case(name, open(entry, rest));
  return {
    rule,
    pass: [
      ...cases.pass,
      from('a disabled rule', { disabled: true }),
      from('a rule for one network', { sourceRanges: ['203.0.113.0/24'] }),
      from('a rule for half of the internet', { sourceRanges: ['0.0.0.0/1'] }),
      from('a rule for tagged instances of its network', { sourceRanges: [], sourceTags: ['web'] }),
      from('a rule for service accounts of its network', {
        sourceRanges: [],
        sourceServiceAccounts: ['a@p.iam.gserviceaccount.com'],
      }),
    ],
    fail: [
      ...cases.fail,
      from('a rule that does not say whether it is disabled', {}),
      from('a rule without a direction, which is for ingress', { direction: null }),
      from('a rule from all of IPv6', { sourceRanges: ['::/0'] }),
      from('a rule from the internet in two halves', {
        sourceRanges: ['0.0.0.0/1', '128.0.0.0/1'],
      }),
      from('a rule from one network and the internet', {
        sourceRanges: ['10.0.0.0/8', '0.0.0.0/0'],
      }),
      from('a rule whose source range is spelled in the singular', {
        sourceRanges: [],
        sourceRange: ['0.0.0.0/0'],
      }),
      from('a rule that names no source, which takes every one', { sourceRanges: [] }),
      from('a rule for tagged instances or the internet', { sourceTags: ['web'] }),
    ],
    na: [
      from('an egress rule', { direction: 'EGRESS' }),
      from('an egress rule in the spelling of the REST API', { direction: 'egress' }),
      from('a deny rule', { allowed: [], denied: [entry] }),
      from('a disabled deny rule', { allowed: [], denied: [entry], disabled: true }),
    ],
    unknown: firewall.unknown,
  } satisfies RuleCases;
}

function tcpCases(rule: string, port: number): RuleCases {
  const tcp = (ports: JsonValue): JsonObject => ({ IPProtocol: 'tcp', ports });
  const admits = (name: string, entry: JsonObject): RuleCase => firewall.case(name, open(entry));
  return worldCases(rule, tcp([`${port}`]), {
    pass: [
      admits('another port', tcp(['443'])),
      admits('ranges beside the port', tcp([`${port - 2}-${port - 1}`, `${port + 1}-65535`])),
      admits('the port over UDP', { IPProtocol: 'udp', ports: [`${port}`] }),
      admits('another protocol', { IPProtocol: 'icmp' }),
      admits('a port that is no port', tcp(['ssh', null, {}])),
      admits('an entry without a protocol', { ports: [`${port}`] }),
    ],
    fail: [
      admits('the port alone', tcp([`${port}`])),
      admits('the port as a number', tcp([port])),
      admits('a range around the port', tcp([`${port - 2}-${port + 3}`])),
      admits('TCP without ports, which is all of them', { IPProtocol: 'tcp' }),
      admits('TCP with an empty list of ports', tcp([])),
      admits('every protocol', { IPProtocol: 'all' }),
      admits('TCP by its number', { IPProtocol: '6', ports: [`${port}`] }),
      admits('TCP in capitals', { IPProtocol: 'TCP', ports: [`${port}`] }),
      admits('the spelling of exports', { ipProtocol: 'tcp', port: [`${port}`] }),
    ],
  });
}

/** Cases of a rule on a list of ports, which applies to UDP and TCP alike. */
function listCases(rule: string, ports: readonly number[], others: readonly number[]): RuleCases {
  const [port = 0] = ports;
  const admits = (name: string, entry: JsonObject): RuleCase => firewall.case(name, open(entry));
  const tcp = (list: readonly string[]): JsonObject => ({ IPProtocol: 'tcp', ports: list });
  return worldCases(rule, tcp([`${port}`]), {
    pass: [
      admits('ports that are not on the list', tcp(others.map(String))),
      admits('a port of the list over SCTP', { IPProtocol: 'sctp', ports: [`${port}`] }),
      admits('another protocol', { IPProtocol: 'icmp' }),
    ],
    fail: [
      admits('the port over UDP', { IPProtocol: 'udp', ports: [`${port}`] }),
      admits('UDP by its number, in a range', { IPProtocol: '17', ports: [`${port - 1}-${port}`] }),
      admits('UDP without ports, which is all of them', { IPProtocol: 'udp' }),
      admits('TCP without ports, which is all of them', { IPProtocol: 'tcp' }),
      admits('every protocol', { IPProtocol: 'all' }),
      admits('a range around the port', tcp([`${port - 1}-${port + 1}`])),
      admits('the port in the second entry of a list', tcp([`${others[0]}`, `${port}`])),
      ...ports.map((one) => admits(`port ${one}`, tcp([`${one}`]))),
    ],
  });
}

export const FIREWALL_CASES: readonly RuleCases[] = [
  {
    rule: 'fw-logging',
    pass: [firewall.case('a logged rule', { logConfig: { enable: true } })],
    fail: [
      firewall.case('a rule that is not logged', { logConfig: { enable: false } }),
      firewall.case('a rule that does not mention logging', {}),
      firewall.case('a deny rule that is not logged', { denied: [{ IPProtocol: 'all' }] }),
    ],
    na: 'never',
    unknown: firewall.unknown,
  },
  tcpCases('fw-ssh-world', 22),
  tcpCases('fw-rdp-world', 3389),
  listCases(
    'fw-db-ports-world',
    [
      ...[1433, 1521, 3306, 5432, 6379, 9200, 9300, 11211, 27017, 27018, 27019, 7000, 7001],
      ...[9042, 9160, 5601, 8020, 50070],
    ],
    [80, 443, 22, 3389, 27016, 27020, 7002, 9201, 8080],
  ),
  listCases(
    'fw-admin-ports-world',
    [
      ...[21, 23, 25, 135, 137, 138, 139, 389, 445, 636, 2375, 2376, 2379, 5500, 5900],
      ...[5985, 5986, 10250],
    ],
    [80, 443, 22, 24, 136, 140, 2377, 2380, 3389, 5901, 5987],
  ),
  worldCases(
    'fw-all-world',
    { IPProtocol: 'all' },
    {
      pass: [
        firewall.case('one port', open({ IPProtocol: 'tcp', ports: ['22'] })),
        firewall.case(
          'all ports but one',
          open({ IPProtocol: 'tcp', ports: ['0-21', '23-65535'] }),
        ),
        firewall.case('a protocol without ports', open({ IPProtocol: 'icmp' })),
      ],
      fail: [
        firewall.case('every protocol', open({ IPProtocol: 'all' })),
        firewall.case('every TCP port', open({ IPProtocol: 'tcp' })),
        firewall.case('every UDP port', open({ IPProtocol: 'udp', ports: ['0-65535'] })),
        firewall.case(
          'every port but the reserved 0',
          open({ IPProtocol: '17', ports: ['1-65535'] }),
        ),
        firewall.case(
          'every port in pieces',
          open({ IPProtocol: 'tcp', ports: ['30000-65535', '0-29999'] }),
        ),
      ],
    },
  ),
];
