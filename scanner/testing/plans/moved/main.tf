provider "google" {
  project = "shop-prod"
  region  = "europe-west1"
}
resource "google_storage_bucket" "files" {
  name     = "shop-files"
  location = "EU"
}
moved {
  from = google_storage_bucket.old
  to   = google_storage_bucket.files
}
resource "google_storage_bucket_iam_member" "everyone" {
  bucket = google_storage_bucket.files.name
  role   = "roles/storage.objectViewer"
  member = "allUsers"
}
resource "google_compute_firewall" "ssh" {
  name          = "ssh"
  network       = "default"
  source_ranges = ["0.0.0.0/0"]
  allow {
    protocol = "tcp"
    ports    = ["22"]
  }
}
resource "google_container_cluster" "main" {
  name                     = "main"
  location                 = "europe-west1"
  remove_default_node_pool = true
  initial_node_count       = 1
}
resource "google_container_node_pool" "workers" {
  name    = "workers"
  cluster = google_container_cluster.main.id
}
