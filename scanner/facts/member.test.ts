import { describe, expect, it } from 'vitest';
import {
  isGoogleMadeAccount,
  isHuman,
  isOfDomain,
  isUserMadeAccount,
  serviceAccountOf,
} from './member.ts';

describe('a service account', () => {
  it.each([
    '482915036174-compute@developer.gserviceaccount.com',
    'shop-prod@appspot.gserviceaccount.com',
    '482915036174@cloudservices.gserviceaccount.com',
    'service-482915036174@compute-system.iam.gserviceaccount.com',
    'service-482915036174@gcp-sa-logging.iam.gserviceaccount.com',
    'p482915036174-x1@gcp-sa-cloud-sql.iam.gserviceaccount.com',
    'service-org-905518273640@gcp-sa-osconfig.iam.gserviceaccount.com',
    'service-folder-482915036174@cloud-logging.iam.gserviceaccount.com',
    'SERVICE-1@GCP-SA-X.IAM.GSERVICEACCOUNT.COM',
  ])('the service account %s belongs to Google', (email) => {
    expect(isGoogleMadeAccount(email)).toBe(true);
    expect(isUserMadeAccount(email)).toBe(false);
  });

  it.each([
    ['ci@shop-prod.iam.gserviceaccount.com', true],
    ['CI@Shop-Prod.IAM.gserviceaccount.com', true],
    ['ci@shop.example.com.iam.gserviceaccount.com', true],
    ['compute@shop-prod.iam.gserviceaccount.com', true],
    ['gcp-sa-mine@shop-prod.iam.gserviceaccount.com', true],
    ['my-service-1@shop-prod.iam.gserviceaccount.com', true],
    ['service-evil@shop-prod.iam.gserviceaccount.com', true],
    ['service-1x@shop-prod.iam.gserviceaccount.com', true],
    ['482915036174@cloudbuild.gserviceaccount.com', false],
    ['shop-prod.svc.id.goog[default/web]', false],
    ['ci@shop-prod.iam.gserviceaccount.com.example.com', false],
    ['.iam.gserviceaccount.com', false],
    ['', false],
  ])(
    'the service account %s does not belong to Google, and belongs to a project: %j',
    (email, userMade) => {
      expect(isGoogleMadeAccount(email)).toBe(false);
      expect(isUserMadeAccount(email)).toBe(userMade);
    },
  );

  it('a service account is recognized by its prefix', () => {
    expect(serviceAccountOf('serviceAccount:a@b')).toBe('a@b');
    expect(serviceAccountOf('user:a@b')).toBeNull();
    expect(serviceAccountOf('deleted:serviceAccount:a@b?uid=1')).toBeNull();
  });
});

describe('a member', () => {
  it.each([
    ['user:ada@gmail.com', true],
    ['group:all@gmail.com', true],
    ['domain:gmail.com', true],
    ['user:Ada@GMail.Com', true],
    ['user:ada@notgmail.com', false],
    ['user:ada@mail.gmail.com', false],
    ['user:ada@gmail.com.example', false],
    ['user:gmail.com@example.com', false],
    ['gmail.com', false],
    ['', false],
  ])('the member %s is of the domain gmail.com: %j', (member, expected) => {
    expect(isOfDomain(member, 'gmail.com')).toBe(expected);
  });

  it('a member is human as a person, a group or a domain, while it is not deleted', () => {
    for (const member of ['user:a@b', 'group:a@b', 'domain:b']) expect(isHuman(member)).toBe(true);
    for (const member of [
      'serviceAccount:a@b',
      'allUsers',
      'projectOwner:p',
      'deleted:user:a@gmail.com?uid=1',
      'principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/subject/s',
    ]) {
      expect(isHuman(member)).toBe(false);
    }
  });
});
