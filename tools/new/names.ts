/** `bucket-soft-delete` or `bucket_soft_delete` as `bucketSoftDelete`. */
export function camel(name: string): string {
  return name.replace(/[-_]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `scan_labels` as `ScanLabels`. */
export function pascal(name: string): string {
  const [first = '', ...rest] = camel(name);
  return first.toUpperCase() + rest.join('');
}

/** `bucket-soft-delete` as `BUCKET_SOFT_DELETE`. */
export function constant(name: string): string {
  return name.replaceAll('-', '_').toUpperCase();
}

/** `customRules` as `custom-rules`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `softDeletePolicy.retentionDays` as `soft_delete_policy.retention_days`: how Terraform spells a member. */
export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `categories` as `category`, `labels` as `label`. */
export function singular(name: string): string {
  return name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/s$/, '');
}
