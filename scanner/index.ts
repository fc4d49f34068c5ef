/**
 * Cloud security posture as a pure library: reads Cloud Asset Inventory exports and evaluates their assets by built-in
 * rules.
 */

export { withAllowedDomains } from './allowed-domains.ts';
export type { Framework, Requirement } from './compliance.ts';
export {
  type AssessedRequirement,
  type ComplianceReport,
  complianceReport,
  type RequirementStatus,
  type VerdictCount,
} from './compliance-report.ts';
export {
  CUSTOM_RULE_ID,
  type CustomRuleDefinition,
  type CustomRuleTest,
  type CustomVerdict,
  type DefinitionFault,
  idFromTitle,
} from './custom/definition.ts';
export { type ParsedDefinition, parseDefinition } from './custom/parse-definition.ts';
export {
  type CustomEvaluation,
  evaluateCustomRule,
  faultsOfResults,
  faultsOfTests,
  type TestResult,
  testedAsset,
} from './custom/tests.ts';
export {
  type CustomProfile,
  type ProfileDefinition,
  type ProfileFault,
  resolveCustomProfile,
  SelectableRules,
} from './custom-profile.ts';
export { type Evaluation, Evaluator, type ProjectEvaluations } from './evaluate.ts';
export {
  evaluationsAtMost,
  outlineOf,
  ProjectNotes,
  type RuleOutline,
} from './evaluation-bound.ts';
export type { Evidence } from './evidence.ts';
export { csvLine } from './export/csv.ts';
export type {
  ExportContext,
  ExportedFinding,
  ExportedRule,
  FindingPages,
} from './export/exported-finding.ts';
export { EXPORTS } from './export/formats.ts';
export { labelsOf } from './facts/labels.ts';
export type { FindingDraft } from './finding.ts';
export {
  binaryFingerprint,
  FINGERPRINT_BYTES,
  type FindingIdentity,
  fingerprint,
} from './fingerprint.ts';
export { applyPatch, type PatchOperation } from './fixes/json-patch.ts';
export type { Fix, TerraformSetting } from './fixes/repair.ts';
export {
  FixProver,
  type FixRequest,
  type FixResult,
  NOT_BUILT_IN,
  verifiedFixInSteps,
} from './fixes/verified-fix.ts';
export { compileGlob } from './glob.ts';
export { type ContentKind, locationOf } from './inventory/envelope.ts';
export { GzipError, gunzipped } from './inventory/gunzip.ts';
export {
  Intake,
  type IntakeOptions,
  type IntakeSummary,
  isNameTooLong,
  type MergedAsset,
} from './inventory/intake.ts';
export { InventoryError, RecordTooLarge } from './inventory/inventory-error.ts';
export { INVENTORY_LIMITS } from './inventory/limits.ts';
export { linesIn } from './inventory/lines-in.ts';
export { type Merged, type MergeWarning, mergeRecords } from './inventory/merge.ts';
export { type Asset, parseAsset } from './inventory/normalise.ts';
export { type ReadOptions, readInventory } from './inventory/reader.ts';
export type { InventoryRecord } from './inventory/record.ts';
export { ScratchError } from './inventory/scratch-error.ts';
export { removeLeftoverScratch } from './inventory/scratch-file.ts';
export { bytesOfSeed, type HashSeed, randomSeed, seedFrom } from './inventory/seeded-hash.ts';
export { isObject, type JsonObject, type JsonValue } from './json.ts';
export { checkJsonText, JSON_LIMITS, JsonLimitError, type JsonLimits } from './json-limits.ts';
export { percentText } from './percent.ts';
export {
  type AddedFinding,
  PlanComparison,
  type UndecidedRule,
} from './plan-comparison.ts';
export {
  canonicalName,
  PROFILE_NAMES,
  type Profile,
  type ProfileRule,
  profileOf,
  resolveProfile,
} from './profile.ts';
export { projectsOf } from './project.ts';
export { isReferenceAssetType, referenceAssetOf } from './reference-asset.ts';
export { ReferenceSelection } from './reference-selection.ts';
export type {
  AssetRule,
  Category,
  Outcome,
  Rule,
  RuleContext,
  Severity,
  SnapshotContext,
  Verdict,
  Violation,
} from './rule.ts';
export { RULES } from './rules/catalogue.ts';
export { cutAt, sanitizeText } from './sanitize-text.ts';
export { looksLikeSecret } from './secret.ts';
export { Snapshot, type SnapshotContent } from './snapshot.ts';
export type { SkippedResource } from './terraform/assets.ts';
export { beginsTerraformDocument } from './terraform/document.ts';
export { readPlan } from './terraform/read-plan.ts';
