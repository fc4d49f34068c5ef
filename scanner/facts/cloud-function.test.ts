import { describe, expect, it } from 'vitest';
import {
  environmentsOf,
  functionSetting,
  insistsOnTls,
  isCalledByRequests,
  isDefaultAccount,
  securityLevelOf,
  takesAllTraffic,
} from './cloud-function.ts';

const V1 = 'cloudfunctions.googleapis.com/CloudFunction';
const V2 = 'cloudfunctions.googleapis.com/Function';

describe('a Cloud Function', () => {
  it('a Cloud Function has its settings at the top in version 1, and below serviceConfig in version 2', () => {
    expect(functionSetting({ ingressSettings: 'ALLOW_ALL' }, 'ingressSettings')).toEqual({
      path: 'ingressSettings',
      value: 'ALLOW_ALL',
    });
    expect(
      functionSetting(
        { ingressSettings: 'no', serviceConfig: { ingressSettings: 'ALLOW_INTERNAL_ONLY' } },
        'ingressSettings',
      ),
    ).toEqual({ path: 'serviceConfig.ingressSettings', value: 'ALLOW_INTERNAL_ONLY' });
    expect(functionSetting({ serviceConfig: {} }, 'ingressSettings').value).toBeNull();
  });

  it('a Cloud Function has variables of its run time and of its build, without those from Secret Manager', () => {
    expect(
      environmentsOf({
        environmentVariables: { A: '1' },
        buildEnvironmentVariables: { B: '2' },
        secretEnvironmentVariables: [{ key: 'C', secret: 'c' }],
      }),
    ).toEqual([
      { path: 'environmentVariables', variables: { A: '1' } },
      { path: 'buildEnvironmentVariables', variables: { B: '2' } },
    ]);
    expect(
      environmentsOf({
        serviceConfig: {
          environmentVariables: { A: '1' },
          secretEnvironmentVariables: [{ key: 'C', secret: 'c' }],
        },
        buildConfig: { environmentVariables: { B: '2' } },
      }),
    ).toEqual([
      { path: 'serviceConfig.environmentVariables', variables: { A: '1' } },
      { path: 'buildConfig.environmentVariables', variables: { B: '2' } },
    ]);
  });

  it.each([
    [V1, { httpsTrigger: { url: 'https://x' } }, true],
    [V1, { httpsTrigger: {} }, true],
    [V1, { eventTrigger: { eventType: 'x' } }, false],
    [V1, {}, false],
    [V2, { serviceConfig: {} }, true],
    [V2, {}, true],
    [V2, { serviceConfig: {}, eventTrigger: { eventType: 'x' } }, false],
  ])(
    'a Cloud Function of the type %s with the data %j has an HTTP trigger: %s',
    (type, fn, called) => {
      expect(isCalledByRequests(fn, type)).toBe(called);
    },
  );

  it.each([
    [V1, { httpsTrigger: { securityLevel: 'SECURE_ALWAYS' } }, true],
    [V1, { httpsTrigger: { securityLevel: 'secureAlways' } }, true],
    [V1, { httpsTrigger: { securityLevel: 'SECURE_OPTIONAL' } }, false],
    [V1, { httpsTrigger: { securityLevel: 'SECURITY_LEVEL_UNSPECIFIED' } }, false],
    [V1, { httpsTrigger: {} }, false],
    [V2, { environment: 'GEN_2', serviceConfig: {} }, true],
    [V2, { environment: 'GEN_2', serviceConfig: { securityLevel: 'SECURE_ALWAYS' } }, true],
    [V2, { environment: 'GEN_1', serviceConfig: {} }, false],
    [V2, { environment: 'GEN_1', serviceConfig: { securityLevel: 'SECURE_ALWAYS' } }, true],
    [V2, { environment: 'GEN_1', serviceConfig: { securityLevel: 'SECURE_OPTIONAL' } }, false],
  ])('a Cloud Function of the type %s with the data %j requires TLS: %s', (type, fn, insists) => {
    expect(insistsOnTls(fn, type)).toBe(insists);
  });

  it('a Cloud Function has its security level with its trigger in version 1', () => {
    expect(securityLevelOf({ httpsTrigger: { securityLevel: 'x' } }).path).toBe(
      'httpsTrigger.securityLevel',
    );
    expect(securityLevelOf({ serviceConfig: { securityLevel: 'x' } }).path).toBe(
      'serviceConfig.securityLevel',
    );
  });

  it.each([
    ['ALLOW_ALL', true],
    ['INGRESS_SETTINGS_UNSPECIFIED', true],
    [null, true],
    ['ALLOW_INTERNAL_ONLY', false],
    ['ALLOW_INTERNAL_AND_GCLB', false],
  ])('a Cloud Function with the ingress setting %j accepts all traffic: %s', (setting, all) => {
    expect(takesAllTraffic(setting)).toBe(all);
  });

  it.each([
    [null, true],
    ['shop-prod@appspot.gserviceaccount.com', true],
    ['482915036174-compute@developer.gserviceaccount.com', true],
    ['thumbnailer@shop-prod.iam.gserviceaccount.com', false],
  ])(
    'a Cloud Function with the account %j runs as a default service account: %s',
    (account, isDefault) => {
      expect(isDefaultAccount(account)).toBe(isDefault);
    },
  );
});
