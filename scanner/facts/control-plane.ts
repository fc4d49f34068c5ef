import { child, isTrue, type JsonObject, type JsonValue } from '../json.ts';

/* The endpoints of the control plane of a GKE cluster. `controlPlaneEndpointsConfig` replaces `privateClusterConfig` and `masterAuthorizedNetworksConfig`: its members decide if they are present, otherwise the older ones. Fields: container v1, discovery revision 20261027. */

const IP_ENDPOINTS = 'controlPlaneEndpointsConfig.ipEndpointsConfig';
const DNS_ENDPOINT = 'controlPlaneEndpointsConfig.dnsEndpointConfig';

/** The field that sets whether the Kubernetes API has a public address, and its value. */
interface PublicAddress {
  readonly path: string;
  readonly value: JsonValue | undefined;
  readonly isPublic: boolean;
}

/** Whether the Kubernetes API has a public address. */
export function publicAddressOf(cluster: JsonObject): PublicAddress {
  const endpoints = ipEndpointsOf(cluster);
  if (endpoints?.enabled === false) {
    return { path: `${IP_ENDPOINTS}.enabled`, value: false, isPublic: false };
  }
  const current = endpoints?.enablePublicEndpoint;
  if (typeof current === 'boolean') {
    const path = `${IP_ENDPOINTS}.enablePublicEndpoint`;
    return { path, value: current, isPublic: current };
  }
  const value = child(cluster, 'privateClusterConfig')?.enablePrivateEndpoint;
  const path = 'privateClusterConfig.enablePrivateEndpoint';
  return { path, value, isPublic: value !== true };
}

/**
 * The networks that may reach the addresses of the control plane, and the path of the list. Null for a control plane
 * without addresses, which needs no restriction.
 */
export function authorizedNetworksOf(cluster: JsonObject): {
  readonly path: string;
  readonly settings: JsonObject | null;
} | null {
  const endpoints = ipEndpointsOf(cluster);
  if (endpoints?.enabled === false) return null;
  const settings = child(endpoints, 'authorizedNetworksConfig');
  if (settings !== null) return { path: `${IP_ENDPOINTS}.authorizedNetworksConfig`, settings };
  const path = 'masterAuthorizedNetworksConfig';
  return { path, settings: child(cluster, path) };
}

/**
 * The switch that lets external clients use the DNS endpoint with only a token or certificate of Kubernetes; null if
 * absent. Without it every request to that endpoint passes IAM first. Authorized networks do not apply to it.
 */
export function kubernetesCredentialsByDns(cluster: JsonObject): string | null {
  const endpoint = child(child(cluster, 'controlPlaneEndpointsConfig'), 'dnsEndpointConfig');
  if (!isTrue(endpoint, 'allowExternalTraffic')) return null;
  if (isTrue(endpoint, 'enableK8sTokensViaDns')) return `${DNS_ENDPOINT}.enableK8sTokensViaDns`;
  return isTrue(endpoint, 'enableK8sCertsViaDns') ? `${DNS_ENDPOINT}.enableK8sCertsViaDns` : null;
}

function ipEndpointsOf(cluster: JsonObject): JsonObject | null {
  return child(child(cluster, 'controlPlaneEndpointsConfig'), 'ipEndpointsConfig');
}
