import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { metadataOf, metadataSwitch } from '../facts/metadata.ts';
import { instanceMetadata, removeInstanceMetadata, setMetadata } from '../fixes/metadata.ts';
import { child, type JsonObject } from '../json.ts';
import { fail, PASS, unknown } from '../outcome.ts';
import { projectsOf } from '../project.ts';
import { readOnce } from '../references.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import { citeSwitch } from './metadata-evidence.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

const INSTANCE = 'compute.googleapis.com/Instance';
const PROJECT = 'compute.googleapis.com/Project';
const PROJECT_UNKNOWN = Object.freeze(unknown(PROJECT));

const projectOslogin = resourceRule(
  {
    id: 'project-oslogin',
    title: 'OS Login is disabled',
    severity: 'medium',
    category: 'compute',
    assetTypes: [INSTANCE, PROJECT],
    description:
      'With OS Login, IAM decides who may log in to instances, and a person who leaves loses access to all of them at once. Without it, keys in metadata decide. It should be enabled for the project, and no instance should disable it.',
    remediation:
      'Enable it for the project: `gcloud compute project-info add-metadata --project=PROJECT --metadata=enable-oslogin=TRUE`; if an instance overrides it: `gcloud compute instances remove-metadata INSTANCE --zone=ZONE --keys=enable-oslogin`.',
    compliance: cis({ v4: '4.4', v5: '4.4' }),
    fix: (repair) => {
      repair.caution('Keys in metadata no longer work: grant the roles for OS Login first.');
      if (repair.asset.type === INSTANCE) {
        removeInstanceMetadata(repair, ({ key }) => key === 'enable-oslogin');
        return;
      }
      setMetadata(repair, 'commonInstanceMetadata', 'enable-oslogin', 'TRUE');
      repair.gcloud(
        'compute project-info add-metadata --project={project} --metadata=enable-oslogin=TRUE',
      );
      const match = { key: 'enable-oslogin' };
      repair.terraform('google_compute_project_metadata_item', 'value', 'TRUE', match);
    },
  },
  (data, { type }) => {
    if (type === INSTANCE) {
      if (metadataSwitch(metadataOf(data), 'enable-oslogin') !== false) return PASS;
      return fail({
        message: 'This instance disables OS Login.',
        evidence: citeSwitch('metadata', 'enable-oslogin', false),
      });
    }
    const isOn = metadataSwitch(child(data, 'commonInstanceMetadata'), 'enable-oslogin');
    if (isOn === true) return PASS;
    return fail({
      message: 'OS Login is not enabled for the project.',
      evidence: citeSwitch('commonInstanceMetadata', 'enable-oslogin', isOn),
    });
  },
);

const vmOslogin2fa = resourceRule(
  {
    id: 'vm-oslogin-2fa',
    title: 'Login to an instance requires no second factor',
    severity: 'low',
    category: 'compute',
    assetTypes: [INSTANCE],
    description:
      'OS Login can require a second factor, so that a stolen key alone is not sufficient. The metadata of the instance decides, otherwise that of its project.',
    remediation:
      'Require it in the whole project: `gcloud compute project-info add-metadata --project=PROJECT --metadata=enable-oslogin=TRUE,enable-oslogin-2fa=TRUE`.',
    compliance: NO_REQUIREMENT,
    fix: instanceMetadata(
      'enable-oslogin-2fa',
      'TRUE',
      'People without a second factor in their Google account can no longer log in.',
    ),
  },
  (instance, asset, { snapshot }) => {
    const own = metadataSwitch(metadataOf(instance), 'enable-oslogin-2fa');
    if (own === true) return PASS;
    if (own === false) {
      return fail({
        message: 'This instance disables the second factor, regardless of its project.',
        evidence: citeSwitch('metadata', 'enable-oslogin-2fa', false),
      });
    }
    if (!snapshot.assetTypes.has(PROJECT)) return PROJECT_UNKNOWN;
    const project = snapshot.derive(projectsOf).of(asset)?.own(PROJECT)[0];
    if (project === undefined || project.data === null) return PROJECT_UNKNOWN;
    if (requires2fa(project.data)) return PASS;
    return fail({
      message: 'Neither this instance nor its project requires a second factor.',
      evidence: citeSwitch('metadata', 'enable-oslogin-2fa', null),
    });
  },
);

const requires2fa = readOnce(
  (project: JsonObject) =>
    metadataSwitch(child(project, 'commonInstanceMetadata'), 'enable-oslogin-2fa') === true,
);

export const OS_LOGIN_RULES: readonly Rule[] = [projectOslogin, vmOslogin2fa];
