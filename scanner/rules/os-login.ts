import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { metadataOf, metadataSwitch } from '../facts/metadata.ts';
import { child } from '../json.ts';
import { fail, PASS, unknown } from '../outcome.ts';
import { projectsOf } from '../project.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import { citeSwitch } from './metadata-evidence.ts';

const INSTANCE = 'compute.googleapis.com/Instance';
const PROJECT = 'compute.googleapis.com/Project';
const PROJECT_UNKNOWN = Object.freeze(unknown(PROJECT));

const projectOslogin = resourceRule(
  {
    id: 'project-oslogin',
    title: 'OS Login is off',
    severity: 'medium',
    category: 'compute',
    assetTypes: [INSTANCE, PROJECT],
    description:
      'With OS Login, IAM decides who may log in to instances, and a person who leaves is out of all of them at once. Without it, keys in metadata decide. It should be on for the project, and no instance should switch it off for itself.',
    remediation:
      'Switch it on for the project: gcloud compute project-info add-metadata --metadata=enable-oslogin=TRUE; where an instance says otherwise: gcloud compute instances remove-metadata INSTANCE --zone=ZONE --keys=enable-oslogin.',
    compliance: cis({ v4: '4.4', v5: '4.4' }),
  },
  (data, { type }) => {
    if (type === INSTANCE) {
      if (metadataSwitch(metadataOf(data), 'enable-oslogin') !== false) return PASS;
      return fail({
        message: 'This instance switches OS Login off for itself.',
        evidence: citeSwitch('metadata', 'enable-oslogin', false),
      });
    }
    const isOn = metadataSwitch(child(data, 'commonInstanceMetadata'), 'enable-oslogin');
    if (isOn === true) return PASS;
    return fail({
      message: 'OS Login is not on for the project.',
      evidence: citeSwitch('commonInstanceMetadata', 'enable-oslogin', isOn),
    });
  },
);

const vmOslogin2fa = resourceRule(
  {
    id: 'vm-oslogin-2fa',
    title: 'Login to an instance takes no second factor',
    severity: 'low',
    category: 'compute',
    assetTypes: [INSTANCE],
    description:
      'OS Login can ask for a second factor, so that a stolen key alone opens nothing. The metadata of the instance decides, or else that of its project.',
    remediation:
      'Ask for it in the whole project: gcloud compute project-info add-metadata --metadata=enable-oslogin=TRUE,enable-oslogin-2fa=TRUE.',
    compliance: NO_REQUIREMENT,
  },
  (instance, asset, { snapshot }) => {
    const own = metadataSwitch(metadataOf(instance), 'enable-oslogin-2fa');
    if (own === true) return PASS;
    if (own === false) {
      return fail({
        message: 'This instance asks for no second factor, whatever its project says.',
        evidence: citeSwitch('metadata', 'enable-oslogin-2fa', false),
      });
    }
    if (!snapshot.assetTypes.has(PROJECT)) return PROJECT_UNKNOWN;
    const project = snapshot.derive(projectsOf).of(asset)?.own(PROJECT)[0];
    if (project === undefined) return PROJECT_UNKNOWN;
    const common = child(project.data, 'commonInstanceMetadata');
    if (metadataSwitch(common, 'enable-oslogin-2fa') === true) return PASS;
    return fail({
      message: 'Neither this instance nor its project asks for a second factor.',
      evidence: citeSwitch('metadata', 'enable-oslogin-2fa', null),
    });
  },
);

export const OS_LOGIN_RULES: readonly Rule[] = [projectOslogin, vmOslogin2fa];
