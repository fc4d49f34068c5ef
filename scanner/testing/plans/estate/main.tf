variable "project" { default = "shop-prod" }
provider "google" {
  project = var.project
  region  = "europe-west1"
}
resource "terraform_data" "suffix" { input = "x" }

# Modules within modules; the bucket's name is known after apply only, and reaches the grant through an output and a variable.
module "storage" {
  source = "./modules/storage"
  suffix = terraform_data.suffix.id
}
module "access" {
  source = "./modules/access"
  bucket = module.storage.bucket
}
module "eu" {
  source   = "./modules/storage"
  for_each = toset(["open", "closed"])
  suffix   = "${each.key}-${terraform_data.suffix.id}"
}
resource "google_storage_bucket_iam_member" "open" {
  bucket = module.eu["open"].bucket
  role   = "roles/storage.objectViewer"
  member = "allUsers"
}

resource "google_storage_bucket" "each" {
  for_each                    = { site = "allUsers", logs = "user:ada@example.com" }
  name                        = "${each.key}-${terraform_data.suffix.id}"
  location                    = "EU"
  uniform_bucket_level_access = true
}
resource "google_storage_bucket_iam_member" "each" {
  for_each = { site = "allUsers", logs = "user:ada@example.com" }
  bucket   = google_storage_bucket.each[each.key].name
  role     = "roles/storage.objectViewer"
  member   = each.value
}

resource "google_pubsub_topic" "team" {
  count   = 2
  name    = "events"
  project = "team-${count.index}"
}
resource "google_pubsub_topic_iam_member" "team" {
  count   = 2
  project = "team-${count.index}"
  topic   = google_pubsub_topic.team[count.index].id
  role    = "roles/pubsub.subscriber"
  member  = count.index == 1 ? "allUsers" : "user:ada@example.com"
}

resource "google_compute_network" "vpc" {
  name                    = "vpc"
  auto_create_subnetworks = false
}
resource "google_dns_policy" "vpc" {
  name           = "vpc"
  enable_logging = true
  networks { network_url = google_compute_network.vpc.id }
}
resource "google_compute_firewall" "ssh" {
  name          = "ssh"
  network       = google_compute_network.vpc.id
  source_ranges = ["0.0.0.0/0"]
  allow {
    protocol = "tcp"
    ports    = ["22"]
  }
}
resource "google_compute_subnetwork" "apps" {
  name          = "apps"
  network       = google_compute_network.vpc.id
  ip_cidr_range = "10.0.0.0/24"
}

resource "google_sql_database_instance" "primary" {
  name             = "primary"
  database_version = "POSTGRES_16"
  settings { tier = "db-custom-2-8192" }
}
resource "google_sql_database_instance" "replica" {
  name                 = "replica"
  database_version     = "POSTGRES_16"
  master_instance_name = google_sql_database_instance.primary.name
  settings { tier = "db-custom-2-8192" }
}

resource "google_kms_key_ring" "ring" {
  name     = "ring"
  location = "europe"
}
resource "google_kms_crypto_key" "key" {
  name            = "key"
  key_ring        = google_kms_key_ring.ring.id
  rotation_period = "7776000s"
}
resource "google_bigquery_dataset" "facts" {
  dataset_id = "facts"
  default_encryption_configuration { kms_key_name = google_kms_crypto_key.key.id }
}
resource "google_bigquery_dataset_access" "everyone" {
  dataset_id    = google_bigquery_dataset.facts.dataset_id
  role          = "READER"
  special_group = "allAuthenticatedUsers"
}

resource "google_container_cluster" "main" {
  name                     = "main"
  location                 = "europe-west1"
  remove_default_node_pool = true
  initial_node_count       = 1
}
resource "google_container_node_pool" "workers" {
  cluster = google_container_cluster.main.id
  node_config { service_account = google_service_account.nodes.email }
}
resource "google_container_node_pool" "elsewhere" {
  cluster  = "other"
  location = "europe-west1"
  management {
    auto_repair  = false
    auto_upgrade = true
  }
}
resource "google_service_account" "nodes" { account_id = "nodes-of-main" }

resource "google_project" "team" {
  name       = "team"
  project_id = "team-${terraform_data.suffix.id}"
  org_id     = "1234567890"
}
resource "google_project_iam_member" "owner" {
  project = google_project.team.project_id
  role    = "roles/owner"
  member  = "user:eve@gmail.com"
}

resource "google_compute_instance_template" "web" {
  machine_type = "e2-small"
  disk { source_image = "debian-cloud/debian-12" }
  network_interface {
    network = google_compute_network.vpc.id
    access_config {}
  }
  metadata_startup_script = "export AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE"
}
resource "google_compute_instance_from_template" "web" {
  name                     = "web"
  zone                     = "europe-west1-b"
  source_instance_template = google_compute_instance_template.web.self_link
}
resource "google_compute_instance_from_template" "unknown" {
  name                     = "unknown"
  zone                     = "europe-west1-b"
  source_instance_template = "projects/other/global/instanceTemplates/base"
}
resource "google_compute_instance" "batch" {
  name         = "batch"
  zone         = "europe-west1-b"
  machine_type = "e2-small"
  boot_disk {
    initialize_params { image = "debian-cloud/debian-12" }
  }
  network_interface { network = google_compute_network.vpc.id }
  metadata_startup_script = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"
}
resource "google_spanner_instance_iam_member" "mallory" {
  instance = "orders"
  role     = "roles/spanner.admin"
  member   = "user:mallory@gmail.com"
}
resource "google_compute_router" "nat" {
  name    = "nat"
  network = google_compute_network.vpc.id
}
