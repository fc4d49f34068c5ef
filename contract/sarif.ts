import { z } from 'zod';
import { jsonMembers } from './json-object.ts';

const text = z.object({ text: z.string() });
const level = z.enum(['error', 'warning', 'note']);
/** A property bag: data without a place in SARIF. */
const properties = jsonMembers;

const SarifRule = z
  .object({
    id: z.string(),
    name: z.string(),
    shortDescription: text,
    fullDescription: text,
    help: z.object({ text: z.string(), markdown: z.string() }).optional(),
    helpUri: z.url().optional(),
    defaultConfiguration: z.object({ level }),
    properties,
  })
  .meta({
    id: 'SarifRule',
    description: 'A rule with findings (`reportingDescriptor` of SARIF 2.1.0).',
    example: {
      id: 'bucket-public',
      name: 'BucketPublic',
      shortDescription: { text: 'Bucket is public' },
      fullDescription: { text: 'Anyone on the internet can read the objects of the bucket.' },
      helpUri: 'https://posture.example.com/console/rules/bucket-public',
      defaultConfiguration: { level: 'error' },
      properties: { tags: ['security', 'cis-gcp-4.0/5.1'], 'security-severity': '8.0' },
    },
  });

const SarifResult = z
  .object({
    ruleId: z.string(),
    ruleIndex: z.int().describe('The position of the rule in `tool.driver.rules`.'),
    kind: z.literal('fail'),
    level,
    message: text,
    locations: z.array(
      z.object({
        physicalLocation: z.object({
          artifactLocation: z.object({
            uri: z.string().describe('The name of the asset as a relative reference.'),
          }),
          region: z.object({ startLine: z.int() }),
        }),
        logicalLocations: z.array(
          z.object({
            name: z.string(),
            fullyQualifiedName: z.string().describe('The name of the asset.'),
            kind: z.literal('resource'),
          }),
        ),
      }),
    ),
    fingerprints: z.record(z.string(), z.string()),
    partialFingerprints: z.record(z.string(), z.string()),
    baselineState: z.enum(['new', 'unchanged', 'absent']),
    suppressions: z
      .array(
        z.object({
          kind: z.literal('external'),
          status: z.literal('accepted'),
          justification: z.string(),
          properties,
        }),
      )
      .describe('The mute of the finding, if there is one.'),
    fixes: z
      .array(z.object({ description: text, artifactChanges: z.array(properties), properties }))
      .optional(),
    properties,
  })
  .meta({
    id: 'SarifResult',
    description: 'A finding (`result` of SARIF 2.1.0).',
    example: {
      ruleId: 'bucket-public',
      ruleIndex: 0,
      kind: 'fail',
      level: 'error',
      message: { text: 'allUsers has roles/storage.objectViewer on this bucket.' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'storage.googleapis.com/shop-uploads' },
            region: { startLine: 1 },
          },
          logicalLocations: [
            {
              name: 'shop-uploads',
              fullyQualifiedName: '//storage.googleapis.com/shop-uploads',
              kind: 'resource',
            },
          ],
        },
      ],
      fingerprints: {
        'cspm/v1': '3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8',
      },
      partialFingerprints: {
        primaryLocationLineHash:
          '3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8:1',
      },
      baselineState: 'unchanged',
      suppressions: [],
      properties: { severity: 'high', status: 'open', project: 'shop-prod' },
    },
  });

/** The export of findings as SARIF, for readers that parse it. The server streams it as text. */
export const SarifLog = z
  .object({
    $schema: z.url(),
    version: z.literal('2.1.0'),
    runs: z.array(
      z.object({
        columnKind: z.literal('utf16CodeUnits'),
        results: z.array(SarifResult),
        tool: z.object({
          driver: z.object({
            name: z.string(),
            semanticVersion: z.string(),
            rules: z.array(SarifRule),
          }),
        }),
      }),
    ),
  })
  .meta({
    id: 'SarifLog',
    description: 'Findings as SARIF 2.1.0 (OASIS), in one run.',
    example: {
      $schema:
        'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          columnKind: 'utf16CodeUnits',
          results: [SarifResult.meta()?.['example']],
          tool: {
            driver: {
              name: 'cspm',
              semanticVersion: '0.1.0',
              rules: [SarifRule.meta()?.['example']],
            },
          },
        },
      ],
    },
  });
