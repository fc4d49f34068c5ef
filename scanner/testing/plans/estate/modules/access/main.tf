variable "bucket" {}
module "grant" {
  source = "./grant"
  target = var.bucket
}
