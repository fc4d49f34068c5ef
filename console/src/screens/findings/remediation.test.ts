import { RULES } from '@cspm/scanner';
import { describe, expect, it } from 'vitest';
import { commandsIn } from './remediation.ts';

/** Each built-in rule, and below it the commands that its remediation offers to copy. Review each change by hand. */
const OFFERED = `
apikey-older-90d
  gcloud services api-keys create --display-name=NAME --api-target=service=SERVICE --allowed-ips=ADDRESSES
  gcloud services api-keys delete KEY
apikey-unrestricted-apis
  gcloud services api-keys update KEY --api-target=service=SERVICE
apikey-unrestricted-apps
  gcloud services api-keys update KEY --allowed-referrers=SITES
  gcloud services api-keys update KEY --allowed-ips=ADDRESSES
  gcloud services api-keys update KEY --allowed-application=sha1_fingerprint=FINGERPRINT,package_name=PACKAGE
  gcloud services api-keys update KEY --allowed-bundle-ids=BUNDLES
ar-repo-public
  gcloud artifacts repositories remove-iam-policy-binding REPOSITORY --location=LOCATION --member=MEMBER --role=ROLE
bq-dataset-cmek
  bq update --default_kms_key=KEY PROJECT:DATASET
bq-dataset-public
  bq show --format=prettyjson PROJECT:DATASET > FILE
  bq update --source=FILE PROJECT:DATASET
bq-table-cmek
  bq cp -f --destination_kms_key=KEY DATASET.TABLE DATASET.TABLE
bucket-cmek
  gcloud storage buckets update gs://BUCKET --default-encryption-key=KEY
bucket-logging
  gcloud storage buckets update gs://BUCKET --log-bucket=gs://LOGS
bucket-public
  gcloud storage buckets remove-iam-policy-binding gs://BUCKET --member=MEMBER --role=ROLE
  gcloud storage buckets update gs://BUCKET --public-access-prevention
bucket-public-access-prevention
  gcloud storage buckets update gs://BUCKET --public-access-prevention
  gcloud resource-manager org-policies enable-enforce storage.publicAccessPrevention --project=PROJECT
bucket-uniform-access
  gcloud storage buckets update gs://BUCKET --uniform-bucket-level-access
bucket-versioning
  gcloud storage buckets update gs://BUCKET --versioning
cai-api-enabled
  gcloud services enable cloudasset.googleapis.com --project=PROJECT
dataproc-cmek
  gcloud dataproc clusters create CLUSTER --region=REGION --gce-pd-kms-key=KEY
disk-cmek
  gcloud compute disks create DISK --zone=ZONE --source-snapshot=SNAPSHOT --kms-key=KEY
dns-dnssec
  gcloud dns managed-zones update ZONE --dnssec-state=on
dns-logging-all-vpcs
  gcloud dns policies create POLICY --networks=NETWORK --enable-logging --description=TEXT
  gcloud dns policies update POLICY --enable-logging
dns-rsasha1-ksk
dns-rsasha1-zsk
fn-default-sa
  gcloud functions deploy FUNCTION --region=REGION --source=FOLDER --service-account=ACCOUNT
fn-env-secrets
  gcloud functions deploy FUNCTION --region=REGION --source=FOLDER --remove-env-vars=NAME --update-secrets=NAME=SECRET:latest
fn-https
  gcloud functions deploy FUNCTION --region=REGION --source=FOLDER --security-level=secure-always
fn-ingress-all
  gcloud functions deploy FUNCTION --region=REGION --source=FOLDER --ingress-settings=internal-and-gclb
fn-public
  gcloud functions remove-iam-policy-binding FUNCTION --region=REGION --member=MEMBER --role=ROLE
fw-admin-ports-world
  gcloud compute firewall-rules update RULE --source-ranges=RANGES
fw-all-world
  gcloud compute firewall-rules update RULE --allow=PROTOCOL:PORTS --source-ranges=RANGES
fw-db-ports-world
  gcloud compute firewall-rules update RULE --source-ranges=RANGES
fw-logging
  gcloud compute firewall-rules update RULE --enable-logging
fw-rdp-world
  gcloud compute firewall-rules update RULE --source-ranges=RANGES
fw-ssh-world
  gcloud compute firewall-rules update RULE --source-ranges=RANGES
gke-alias-ip
  gcloud container clusters create CLUSTER --location=LOCATION --enable-ip-alias
gke-alpha
  gcloud container clusters delete CLUSTER --location=LOCATION
gke-basic-auth
  gcloud container clusters update CLUSTER --location=LOCATION --no-enable-basic-auth
gke-binauthz
  gcloud container clusters update CLUSTER --location=LOCATION --binauthz-evaluation-mode=PROJECT_SINGLETON_POLICY_ENFORCE
gke-client-cert
  gcloud container clusters create CLUSTER --location=LOCATION --no-issue-client-certificate
  gcloud container clusters update CLUSTER --location=LOCATION --start-credential-rotation
  gcloud container clusters update CLUSTER --location=LOCATION --complete-credential-rotation
gke-cos-image
  gcloud container clusters upgrade CLUSTER --location=LOCATION --node-pool=POOL --image-type=cos_containerd
gke-dashboard
  gcloud container clusters update CLUSTER --location=LOCATION --update-addons=KubernetesDashboard=DISABLED
gke-default-sa
  gcloud container node-pools create POOL --cluster=CLUSTER --location=LOCATION --service-account=ACCOUNT
gke-integrity-monitoring
  gcloud container node-pools create POOL --cluster=CLUSTER --location=LOCATION --shielded-integrity-monitoring
gke-legacy-abac
  gcloud container clusters update CLUSTER --location=LOCATION --no-enable-legacy-authorization
gke-legacy-metadata
  gcloud container node-pools create POOL --cluster=CLUSTER --location=LOCATION --metadata=disable-legacy-endpoints=true
gke-logging
  gcloud container clusters update CLUSTER --location=LOCATION --logging=SYSTEM,WORKLOAD
gke-master-authorized-networks
  gcloud container clusters update CLUSTER --location=LOCATION --enable-master-authorized-networks --master-authorized-networks=RANGES
gke-monitoring
  gcloud container clusters update CLUSTER --location=LOCATION --monitoring=SYSTEM
gke-network-policy
  gcloud container clusters update CLUSTER --location=LOCATION --update-addons=NetworkPolicy=ENABLED
  gcloud container clusters update CLUSTER --location=LOCATION --enable-network-policy
gke-node-auto-repair
  gcloud container node-pools update POOL --cluster=CLUSTER --location=LOCATION --enable-autorepair
gke-node-auto-upgrade
  gcloud container node-pools update POOL --cluster=CLUSTER --location=LOCATION --enable-autoupgrade
gke-private-endpoint
  gcloud container clusters update CLUSTER --location=LOCATION --enable-private-endpoint
  gcloud container clusters update CLUSTER --location=LOCATION --no-enable-k8s-tokens-via-dns --no-enable-k8s-certs-via-dns
gke-private-nodes
  gcloud container clusters update CLUSTER --location=LOCATION --enable-private-nodes
  gcloud container node-pools update POOL --cluster=CLUSTER --location=LOCATION --enable-private-nodes
gke-release-channel
  gcloud container clusters update CLUSTER --location=LOCATION --release-channel=regular
gke-secrets-encryption
  gcloud container clusters update CLUSTER --location=LOCATION --database-encryption-key=KEY
gke-secure-boot
  gcloud container node-pools create POOL --cluster=CLUSTER --location=LOCATION --shielded-secure-boot
gke-shielded-nodes
  gcloud container clusters update CLUSTER --location=LOCATION --enable-shielded-nodes
gke-workload-identity
  gcloud container clusters update CLUSTER --location=LOCATION --workload-pool=PROJECT.svc.id.goog
iam-audit-config
  gcloud projects get-iam-policy PROJECT > policy.yaml
  gcloud projects set-iam-policy PROJECT policy.yaml
iam-custom-role-dangerous
  gcloud iam roles update ROLE --project=PROJECT --remove-permissions=PERMISSIONS
iam-default-sa-editor
  gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=roles/editor
iam-deleted-members
  gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE
iam-external-members
  gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE
iam-kms-separation-of-duties
  gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=roles/cloudkms.admin
iam-primitive-roles
  gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE
iam-public-project
  gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE
iam-sa-admin-privileges
  gcloud recommender insights list --project=PROJECT --location=global --insight-type=google.iam.policy.Insight
  gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE
iam-sa-separation-of-duties
  gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=roles/iam.serviceAccountUser
iam-sa-user-project-level
  gcloud iam service-accounts add-iam-policy-binding ACCOUNT --member=MEMBER --role=roles/iam.serviceAccountUser
  gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=roles/iam.serviceAccountUser
iam-token-creator-project-level
  gcloud iam service-accounts add-iam-policy-binding ACCOUNT --member=MEMBER --role=roles/iam.serviceAccountTokenCreator
  gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=roles/iam.serviceAccountTokenCreator
image-public
  gcloud compute images remove-iam-policy-binding NAME --member=MEMBER --role=ROLE
kms-public
  gcloud kms keys remove-iam-policy-binding KEY --keyring=RING --location=LOCATION --member=MEMBER --role=ROLE
  gcloud kms keyrings remove-iam-policy-binding RING --location=LOCATION --member=MEMBER --role=ROLE
kms-rotation-90d
  gcloud kms keys update KEY --keyring=RING --location=LOCATION --rotation-period=90d --next-rotation-time=TIME
lb-http-only
  gcloud compute url-maps import REDIRECT --global --source=FILE
  gcloud compute target-http-proxies update PROXY --url-map=REDIRECT
lb-logging
  gcloud compute backend-services update SERVICE --global --enable-logging --logging-sample-rate=1
  gcloud compute backend-services update SERVICE --region=REGION --enable-logging --logging-sample-rate=1
lb-no-armor
  gcloud compute backend-services update SERVICE --global --security-policy=POLICY
  gcloud compute backend-services update SERVICE --region=REGION --security-policy=POLICY
lb-weak-ssl-policy
  gcloud compute ssl-policies create POLICY --global --profile=MODERN --min-tls-version=1.2
  gcloud compute target-https-proxies update PROXY --global --ssl-policy=POLICY --global-ssl-policy
  gcloud compute target-ssl-proxies update PROXY --ssl-policy=POLICY
  gcloud compute ssl-policies create POLICY --region=REGION --profile=MODERN --min-tls-version=1.2
  gcloud compute target-https-proxies update PROXY --region=REGION --ssl-policy=POLICY --ssl-policy-region=REGION
log-alert-audit
  gcloud logging metrics create METRIC --description=TEXT --log-filter='protoPayload.methodName="SetIamPolicy" AND protoPayload.serviceData.policyDelta.auditConfigDeltas:*'
  gcloud monitoring policies create --policy-from-file=FILE
log-alert-custom-role
  gcloud logging metrics create METRIC --description=TEXT --log-filter='resource.type="iam_role" AND (protoPayload.methodName="google.iam.admin.v1.CreateRole" OR protoPayload.methodName="google.iam.admin.v1.DeleteRole" OR protoPayload.methodName="google.iam.admin.v1.UpdateRole")'
  gcloud monitoring policies create --policy-from-file=FILE
log-alert-firewall
  gcloud logging metrics create METRIC --description=TEXT --log-filter='resource.type="gce_firewall_rule" AND (protoPayload.methodName:"compute.firewalls.patch" OR protoPayload.methodName:"compute.firewalls.insert" OR protoPayload.methodName:"compute.firewalls.delete")'
  gcloud monitoring policies create --policy-from-file=FILE
log-alert-network
  gcloud logging metrics create METRIC --description=TEXT --log-filter='resource.type="gce_network" AND (protoPayload.methodName:"compute.networks.insert" OR protoPayload.methodName:"compute.networks.patch" OR protoPayload.methodName:"compute.networks.delete" OR protoPayload.methodName:"compute.networks.removePeering" OR protoPayload.methodName:"compute.networks.addPeering")'
  gcloud monitoring policies create --policy-from-file=FILE
log-alert-ownership
  gcloud logging metrics create METRIC --description=TEXT --log-filter='(protoPayload.serviceName="cloudresourcemanager.googleapis.com") AND (ProjectOwnership OR projectOwnerInvitee) OR (protoPayload.serviceData.policyDelta.bindingDeltas.action="REMOVE" AND protoPayload.serviceData.policyDelta.bindingDeltas.role="roles/owner") OR (protoPayload.serviceData.policyDelta.bindingDeltas.action="ADD" AND protoPayload.serviceData.policyDelta.bindingDeltas.role="roles/owner")'
  gcloud monitoring policies create --policy-from-file=FILE
log-alert-route
  gcloud logging metrics create METRIC --description=TEXT --log-filter='resource.type="gce_route" AND (protoPayload.methodName:"compute.routes.delete" OR protoPayload.methodName:"compute.routes.insert")'
  gcloud monitoring policies create --policy-from-file=FILE
log-alert-sql
  gcloud logging metrics create METRIC --description=TEXT --log-filter='protoPayload.methodName="cloudsql.instances.update"'
  gcloud monitoring policies create --policy-from-file=FILE
log-alert-storage-iam
  gcloud logging metrics create METRIC --description=TEXT --log-filter='resource.type="gcs_bucket" AND protoPayload.methodName="storage.setIamPermissions"'
  gcloud monitoring policies create --policy-from-file=FILE
log-sink-all
  gcloud logging sinks create SINK storage.googleapis.com/BUCKET
  gcloud storage buckets add-iam-policy-binding gs://BUCKET --member=WRITER --role=roles/storage.objectCreator
log-sink-bucket-lock
  gcloud storage buckets update gs://BUCKET --retention-period=365d
  gcloud storage buckets update gs://BUCKET --lock-retention-period
net-default
  gcloud compute firewall-rules delete RULES --project=PROJECT
  gcloud compute networks delete default --project=PROJECT
net-legacy
  gcloud compute networks create NETWORK --subnet-mode=custom
  gcloud compute networks delete LEGACY
org-essential-contacts
  gcloud essential-contacts create --email=ADDRESS --notification-categories=security,technical --language=en --organization=ORGANIZATION
project-oslogin
  gcloud compute project-info add-metadata --project=PROJECT --metadata=enable-oslogin=TRUE
  gcloud compute instances remove-metadata INSTANCE --zone=ZONE --keys=enable-oslogin
run-ingress-all
  gcloud run services update SERVICE --region=REGION --ingress=internal-and-cloud-load-balancing
run-public
  gcloud run services remove-iam-policy-binding SERVICE --region=REGION --member=MEMBER --role=ROLE
  gcloud run services update SERVICE --region=REGION --invoker-iam-check
sa-key-older-90d
  gcloud iam service-accounts keys create FILE --iam-account=ACCOUNT
  gcloud iam service-accounts keys delete KEY --iam-account=ACCOUNT
sa-key-uploaded
  gcloud iam service-accounts keys delete KEY --iam-account=ACCOUNT
sa-key-user-managed
  gcloud iam service-accounts keys delete KEY --iam-account=ACCOUNT
secret-no-rotation
  gcloud secrets update SECRET --add-topics=TOPIC --rotation-period=PERIOD --next-rotation-time=TIME
secret-public
  gcloud secrets remove-iam-policy-binding SECRET --member=MEMBER --role=ROLE
  gcloud secrets versions add SECRET --data-file=FILE
snapshot-public
  gcloud compute snapshots remove-iam-policy-binding NAME --member=MEMBER --role=ROLE
sql-backup
  gcloud sql instances patch INSTANCE --backup-start-time=HH:MM
sql-deletion-protection
  gcloud sql instances patch INSTANCE --deletion-protection
sql-iam-auth
  gcloud sql instances patch INSTANCE --database-flags=cloudsql.iam_authentication=on,OTHERS
  gcloud sql instances patch INSTANCE --database-flags=cloudsql_iam_authentication=on,OTHERS
sql-ms-contained-auth
  gcloud sql instances patch INSTANCE --database-flags="contained database authentication=off",OTHERS
sql-ms-cross-db-chaining
  gcloud sql instances patch INSTANCE --database-flags="cross db ownership chaining=off",OTHERS
sql-ms-external-scripts
  gcloud sql instances patch INSTANCE --database-flags="external scripts enabled=off",OTHERS
sql-ms-remote-access
  gcloud sql instances patch INSTANCE --database-flags="remote access=off",OTHERS
sql-ms-trace-3625
  gcloud sql instances patch INSTANCE --database-flags="3625=on",OTHERS
sql-ms-user-connections
  gcloud sql instances patch INSTANCE --database-flags="user connections=0",OTHERS
sql-ms-user-options
  gcloud sql instances patch INSTANCE --database-flags=FLAGS
sql-mysql-local-infile
  gcloud sql instances patch INSTANCE --database-flags="local_infile=off",OTHERS
sql-mysql-skip-show-database
  gcloud sql instances patch INSTANCE --database-flags="skip_show_database=on",OTHERS
sql-pg-log-connections
  gcloud sql instances patch INSTANCE --database-flags="log_connections=on",OTHERS
sql-pg-log-disconnections
  gcloud sql instances patch INSTANCE --database-flags="log_disconnections=on",OTHERS
sql-pg-log-error-verbosity
  gcloud sql instances patch INSTANCE --database-flags="log_error_verbosity=default",OTHERS
sql-pg-log-min-duration-statement
  gcloud sql instances patch INSTANCE --database-flags="log_min_duration_statement=-1",OTHERS
sql-pg-log-min-error-statement
  gcloud sql instances patch INSTANCE --database-flags="log_min_error_statement=error",OTHERS
sql-pg-log-min-messages
  gcloud sql instances patch INSTANCE --database-flags="log_min_messages=warning",OTHERS
sql-pg-log-statement
  gcloud sql instances patch INSTANCE --database-flags="log_statement=ddl",OTHERS
sql-pg-pgaudit
  gcloud sql instances patch INSTANCE --database-flags="cloudsql.enable_pgaudit=on",OTHERS
sql-pitr
  gcloud sql instances patch INSTANCE --enable-point-in-time-recovery
  gcloud sql instances patch INSTANCE --enable-bin-log
sql-public-ip
  gcloud sql instances patch INSTANCE --network=NETWORK --no-assign-ip
sql-public-networks
  gcloud sql instances patch INSTANCE --authorized-networks=RANGES
sql-ssl
  gcloud sql instances patch INSTANCE --ssl-mode=ENCRYPTED_ONLY
subnet-flow-logs
  gcloud compute networks subnets update SUBNET --region=REGION --enable-flow-logs
subnet-private-google-access
  gcloud compute networks subnets update SUBNET --region=REGION --enable-private-ip-google-access
subscription-public
  gcloud pubsub subscriptions remove-iam-policy-binding SUBSCRIPTION --member=MEMBER --role=ROLE
topic-public
  gcloud pubsub topics remove-iam-policy-binding TOPIC --member=MEMBER --role=ROLE
vm-confidential
  gcloud compute instances create INSTANCE --zone=ZONE --machine-type=n2d-standard-2 --confidential-compute-type=SEV --maintenance-policy=TERMINATE
vm-default-sa
  gcloud compute instances set-service-account INSTANCE --zone=ZONE --service-account=ACCOUNT --scopes=cloud-platform
vm-default-sa-full-scope
  gcloud compute instances set-service-account INSTANCE --zone=ZONE --service-account=ACCOUNT --scopes=cloud-platform
vm-ip-forward
  gcloud compute instances export INSTANCE --zone=ZONE --destination=FILE
  gcloud compute instances update-from-file INSTANCE --zone=ZONE --source=FILE
vm-metadata-secrets
  gcloud compute instances remove-metadata INSTANCE --zone=ZONE --keys=KEY
vm-oslogin-2fa
  gcloud compute project-info add-metadata --project=PROJECT --metadata=enable-oslogin=TRUE,enable-oslogin-2fa=TRUE
vm-project-ssh-keys
  gcloud compute instances add-metadata INSTANCE --zone=ZONE --metadata=block-project-ssh-keys=TRUE
vm-public-ip
  gcloud compute instances delete-access-config INSTANCE --zone=ZONE --access-config-name=NAME
vm-serial-port
  gcloud compute instances add-metadata INSTANCE --zone=ZONE --metadata=serial-port-enable=FALSE
vm-shielded
  gcloud compute instances update INSTANCE --zone=ZONE --shielded-vtpm --shielded-integrity-monitoring
wif-no-attribute-condition
  gcloud iam workload-identity-pools providers update-oidc PROVIDER --workload-identity-pool=POOL --location=global --attribute-condition="assertion.repository_owner_id == 'ID'"
`;

/** Words that begin a command, wherever they are. */
const PROGRAM = /\b(?:gcloud|gsutil|bq|kubectl|terraform)\b/g;

describe('the commands to copy from a remediation', () => {
  it('every built-in rule offers exactly the reviewed commands, in the order of its remediation', () => {
    const offered = RULES.map(({ id, remediation }) =>
      [id, ...commandsIn(remediation).map((command) => `  ${command}`)].join('\n'),
    );
    expect(`\n${offered.join('\n')}\n`).toBe(OFFERED);
  });

  it.each(RULES)('every command in the remediation of $id is offered', ({ remediation }) => {
    const offered = commandsIn(remediation);
    expect(offered.join('\n').match(PROGRAM)).toEqual(remediation.match(PROGRAM));
    for (const command of offered) expect(remediation).toContain(`\`${command}\``);
  });

  it.each([
    ['a list with commas', 'Run `gcloud a b --c=D,E,F`.', 'gcloud a b --c=D,E,F'],
    ['quotes', "Run `gcloud a --b='c;d, e' X`; then wait.", "gcloud a --b='c;d, e' X"],
    ['a redirection', 'Run `bq show A > file.json`, edit it.', 'bq show A > file.json'],
    ['a domain at its end', '(`gcloud a --b=P.svc.id.goog`)', 'gcloud a --b=P.svc.id.goog'],
    ['other text in backticks', 'Set `x`: `kubectl get pods`.', 'kubectl get pods'],
  ])('a command with %s is offered whole', (_, remediation, command) => {
    expect(commandsIn(remediation)).toEqual([command]);
  });

  it('a command that the text repeats is offered once', () => {
    expect(commandsIn('`gcloud a B`, then `gcloud c D`, then `gcloud a B`.')).toEqual([
      'gcloud a B',
      'gcloud c D',
    ]);
  });

  it.each([
    ['names a command without backticks', 'Run gcloud sql instances patch INSTANCE --tier=T.'],
    ['names only the second command in backticks', 'Run gcloud a B; `gcloud c D`.'],
    ['has an option after the backticks', 'Run `gcloud a B` --flag=C.'],
    ['substitutes a command in a command', 'gcloud a B `gcloud c D`'],
    ['substitutes a command in quotes', 'curl -H "Bearer `gcloud auth token`" URL'],
    ['substitutes a command among options', 'curl -o FILE `gcloud a B`'],
    ['nests backticks', 'Run `gcloud a \\`gcloud b C\\` D`.'],
    ['opens a second command and does not close it', 'Run `gcloud a B`, then `gcloud c D.'],
    ['continues a command on the next line', 'Run `gcloud a B \\\n --flag=C`.'],
    ['has a fenced block', '```\ngcloud a B\n```'],
    ['begins a command with another program', 'Run `sudo gcloud a B`, then `gcloud c D`.'],
    ['hides characters in a command', 'Run `gcloud a \u202eB`.'],
    ['names a program only', 'Install `gcloud`.'],
    ['is empty', ''],
  ])('a text that %s offers no command', (_, remediation) => {
    expect(commandsIn(remediation)).toEqual([]);
  });
});
