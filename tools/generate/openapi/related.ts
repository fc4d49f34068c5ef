/**
 * What an operation takes from a resource. Path parameters that both operations have are taken from the request. Links have
 * no `requestBody`, because openapi-generator refuses documents where it is not a string.
 */
export interface Relation {
  /** Each with the place of its value: a member of the resource, or an expression that begins with `$`. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Which members of a resource identify another one, by the name of its schema and the operation that takes them.
 * Operations on the items of a collection are not listed, because their paths say it.
 */
export const RELATED: Readonly<Record<string, Readonly<Record<string, Relation>>>> = {
  ApiKey: { usersGet: { parameters: { id: 'userId' } } },
  Asset: { assetsLookup: { parameters: { name: 'name', type: 'type' } } },
  ComplianceReport: { scansGet: { parameters: { id: 'scan' } } },
  Finding: findingRelations(),
  FindingWithFix: findingRelations(),
  Identity: { samlLogin: { parameters: { tenant: 'tenant/id' } } },
  Inventory: {
    assetsList: { parameters: { project: '$request.path.name' } },
  },
  Mute: { findingsList: { parameters: { fingerprint: 'fingerprint' } } },
  Project: {
    assetsList: { parameters: { project: 'name' } },
    findingsList: { parameters: { project: 'name' } },
    postureTrend: { parameters: { project: 'name' } },
    scansList: { parameters: { project: 'name' } },
  },
  Pull: { pullsGet: { parameters: { id: 'id' } } },
  Rule: { findingsList: { parameters: { rule: 'id' } } },
  RuleCount: { rulesGet: { parameters: { id: 'ruleId' } } },
  Scan: {
    findingsList: { parameters: { scan: 'id' } },
    findingsSummary: { parameters: { scan: 'id' } },
    projectsGet: { parameters: { name: 'projects/0/name' } },
    schedulesGet: { parameters: { id: 'scheduleId' } },
  },
  ScanComparison: { scansGet: { parameters: { id: 'with/id' } } },
  Schedule: { scansGet: { parameters: { id: 'lastRun/scanId' } } },
  Tenant: {
    samlLogin: { parameters: { tenant: 'id' } },
    samlMetadata: { parameters: { tenant: 'id' } },
  },
  User: { apiKeysList: { parameters: { userId: 'id' } } },
  WebhookDelivery: { webhooksRedeliver: { parameters: { deliveryId: 'id' } } },
};

function findingRelations(): Readonly<Record<string, Relation>> {
  return {
    assetsLookup: { parameters: { project: 'project', name: 'asset/name' } },
    mutesList: { parameters: { finding: 'id' } },
    projectsGet: { parameters: { name: 'project' } },
    rulesGet: { parameters: { id: 'ruleId' } },
  };
}
