variable "target" {}
resource "google_storage_bucket_iam_member" "this" {
  bucket = var.target
  role   = "roles/storage.objectViewer"
  member = "allUsers"
}
