import { isObject, items, type JsonObject, text } from '../json.ts';
import { UNKNOWN } from './document.ts';
import { defined, type Mapping } from './mapping.ts';

/** In Terraform the annotations of a Cloud Run service are inside `metadata`, as in the Knative API. */
function service(data: JsonObject): JsonObject {
  if (data['metadata'] === UNKNOWN) return data;
  const [metadata] = items(data, 'metadata');
  return defined({ ...data, metadata: isObject(metadata) ? metadata : undefined });
}

/** Version 2 of the API has a field for an annotation of version 1; exports use version 1. */
function serviceV2(data: JsonObject): JsonObject {
  if (data['ingress'] === UNKNOWN) return data;
  const ingress = text(data, 'ingress');
  const word = ingress === null ? 'all' : INGRESS[ingress];
  return {
    ...data,
    metadata: {
      annotations: defined({ 'run.googleapis.com/ingress': word ?? ingress ?? undefined }),
    },
  };
}

const INGRESS: Readonly<Record<string, string>> = {
  INGRESS_TRAFFIC_ALL: 'all',
  INGRESS_TRAFFIC_INTERNAL_ONLY: 'internal',
  INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER: 'internal-and-cloud-load-balancing',
};

function httpFunction(data: JsonObject): JsonObject {
  const level = data['httpsTriggerSecurityLevel'];
  return defined({
    ...data,
    httpsTrigger:
      data['triggerHttp'] === UNKNOWN
        ? UNKNOWN
        : data['triggerHttp'] === true
          ? defined({ securityLevel: level })
          : undefined,
  });
}

export const SERVERLESS: Readonly<Record<string, Mapping>> = {
  google_cloud_run_service: {
    assetType: 'run.googleapis.com/Service',
    path: 'projects/{project}/locations/{location}/services/{name}',
    reshape: service,
  },
  google_cloud_run_v2_service: {
    assetType: 'run.googleapis.com/Service',
    path: 'projects/{project}/locations/{location}/services/{name}',
    reshape: serviceV2,
  },
  google_cloudfunctions_function: {
    assetType: 'cloudfunctions.googleapis.com/CloudFunction',
    path: 'projects/{project}/locations/{region}/functions/{name}',
    form: { maps: ['environment_variables', 'build_environment_variables'] },
    reshape: httpFunction,
  },
  google_cloudfunctions2_function: {
    assetType: 'cloudfunctions.googleapis.com/Function',
    path: 'projects/{project}/locations/{location}/functions/{name}',
    form: {
      single: ['service_config', 'build_config', 'event_trigger'],
      maps: ['environment_variables'],
    },
  },
  google_pubsub_topic: {
    assetType: 'pubsub.googleapis.com/Topic',
    path: 'projects/{project}/topics/{name}',
  },
  google_pubsub_subscription: {
    assetType: 'pubsub.googleapis.com/Subscription',
    path: 'projects/{project}/subscriptions/{name}',
  },
  google_artifact_registry_repository: {
    assetType: 'artifactregistry.googleapis.com/Repository',
    path: 'projects/{project}/locations/{location}/repositories/{repository_id}',
  },
};
