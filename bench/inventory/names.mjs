// Names that records of several kinds use.

export const REGIONS = ['europe-west1', 'europe-west3', 'us-central1', 'asia-southeast1'];

export function account(name, { project }) {
  return `serviceAccount:${name}@${project}.iam.gserviceaccount.com`;
}

export function group(name) {
  return `group:${name}@acme.example`;
}

export function keyRing({ project, region }) {
  return `projects/${project}/locations/${region}/keyRings/main`;
}
