variable "suffix" {}
resource "google_storage_bucket" "this" {
  name                        = "files-${var.suffix}"
  location                    = "EU"
  uniform_bucket_level_access = true
}
output "bucket" { value = google_storage_bucket.this.name }
