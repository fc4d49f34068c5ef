import { SCOPE, SCOPE_REMEDY } from './auth-options.ts';
import type { GoogleAnswer } from './google-answer.ts';
import { GoogleCloudError } from './google-cloud-error.ts';
import { type ContentType, PERMISSIONS } from './pull-state.ts';

export interface ListRequest {
  readonly parent: string;
  readonly contentType: ContentType;
  readonly readTime: string;
  readonly pageToken: string | null;
  readonly pageSize: number;
}

const ASSET_API = 'cloudasset.googleapis.com';

/** What a refusal of `ListAssets` means, and what to do. */
export function refusedList(answer: GoogleAnswer, request: ListRequest): GoogleCloudError {
  const { status, reason, http } = answer;
  if (http === 401) return unauthenticated(answer);
  if (reason === 'SERVICE_DISABLED') return serviceDisabled(answer);
  if (reason === 'USER_PROJECT_DENIED') return chargedProjectDenied(answer);
  if (reason === 'ACCESS_TOKEN_SCOPE_INSUFFICIENT') return scopeMissing();
  if (reason === 'SECURITY_POLICY_VIOLATED') return outsideOfPerimeter(answer, request.parent);
  if (status === 'PERMISSION_DENIED' || http === 403) return permissionDenied(answer, request);
  if (status === 'NOT_FOUND' || http === 404) return parentNotFound(request.parent);
  // The same arguments were accepted for the page before, so only the token can be at fault. Google documents neither
  // how long a token lives nor how it is refused.
  if (http === 400 && request.pageToken !== null) return pageTokenExpired(answer);
  return new GoogleCloudError(
    'invalid_response',
    `The Cloud Asset API refused the request: ${answer.message}`,
    'Check the parent and the clock of this machine.',
  );
}

function unauthenticated(answer: GoogleAnswer): GoogleCloudError {
  return new GoogleCloudError(
    'credential_refused',
    `Google does not accept the access token: ${answer.message}`,
    'Check that the account still exists and is enabled, and that the clock of this machine is right.',
  );
}

function serviceDisabled({ service, consumer, message }: GoogleAnswer): GoogleCloudError {
  const project = consumer?.replace(/^projects\//, '');
  // Credentials of a user without a project to charge are refused with the same reason, for a project of Google's own.
  if (/quota project/i.test(message)) {
    return new GoogleCloudError(
      'service_disabled',
      'The credentials name no project to charge the requests to.',
      'Run: gcloud auth application-default set-quota-project <project>',
    );
  }
  const name = service ?? ASSET_API;
  return new GoogleCloudError(
    'service_disabled',
    `The API ${name} is not enabled in ${project === undefined ? 'the project that is charged' : `project ${project}`}.`,
    `Run: gcloud services enable ${name} --project ${project ?? '<project>'}. It takes effect after some minutes.`,
  );
}

function chargedProjectDenied({ consumer, message }: GoogleAnswer): GoogleCloudError {
  const project = consumer?.replace(/^projects\//, '') ?? '<project>';
  return new GoogleCloudError(
    'permission_denied',
    `The credential may not charge requests to project ${project}: ${message}`,
    `Grant roles/serviceusage.serviceUsageConsumer on the project, or choose another one with gcloud auth application-default set-quota-project <project>. ${grant(`projects/${project}`, 'roles/serviceusage.serviceUsageConsumer')}`,
    { permission: 'serviceusage.services.use' },
  );
}

function scopeMissing(): GoogleCloudError {
  return new GoogleCloudError(
    'credential_refused',
    `The access token does not have the scope ${SCOPE}, so roles do not help.`,
    SCOPE_REMEDY,
  );
}

/** Does not name a permission: the pull must not continue with other content types. */
function outsideOfPerimeter({ message }: GoogleAnswer, parent: string): GoogleCloudError {
  return new GoogleCloudError(
    'permission_denied',
    `VPC Service Controls refuse the request for ${parent}, whatever its permissions: ${message}`,
    `Allow the account and this network to call ${ASSET_API} in an ingress rule of the perimeter.`,
  );
}

function permissionDenied(
  answer: GoogleAnswer,
  { contentType, parent }: ListRequest,
): GoogleCloudError {
  const permission = PERMISSIONS[contentType];
  return new GoogleCloudError(
    'permission_denied',
    `The permission ${permission} on ${parent} is missing, or ${parent} does not exist: ${answer.message}`,
    `Grant roles/cloudasset.viewer. ${grant(parent, 'roles/cloudasset.viewer')}`,
    { permission },
  );
}

function parentNotFound(parent: string): GoogleCloudError {
  return new GoogleCloudError(
    'parent_not_found',
    `${parent} does not exist in Google Cloud.`,
    'Check the id: gcloud projects list, gcloud organizations list. Folders and organizations are named by number.',
  );
}

function pageTokenExpired(answer: GoogleAnswer): GoogleCloudError {
  return new GoogleCloudError(
    'page_token_expired',
    `Google no longer accepts the page token: ${answer.message}`,
    'Start the pull again from the first page.',
  );
}

/** The command that grants a role on a project, folder or organization. */
function grant(parent: string, role: string): string {
  const [kind = '', id = ''] = parent.split('/');
  const command =
    kind === 'projects'
      ? `projects add-iam-policy-binding ${id}`
      : kind === 'folders'
        ? `resource-manager folders add-iam-policy-binding ${id}`
        : `organizations add-iam-policy-binding ${id}`;
  return `Run: gcloud ${command} --role ${role} --member user:<e-mail> (or serviceAccount:<e-mail>)`;
}
