import { cis } from '../compliance.ts';
import { enumAt } from '../facts/enumeration.ts';
import type { JsonObject } from '../json.ts';
import type { Rule } from '../rule.ts';
import { requiredSettingRule } from './required-setting.ts';

/*
 * Fields: bigquery v2, discovery revision 20261009.
 */

const bqDatasetCmek = requiredSettingRule(
  {
    id: 'bq-dataset-cmek',
    title: 'BigQuery dataset has no default encryption key',
    severity: 'low',
    category: 'database',
    assetTypes: ['bigquery.googleapis.com/Dataset'],
    description:
      'New tables of a dataset are encrypted with a customer-managed key, which you can rotate, monitor and revoke, only if the dataset has a default key. Datasets that refer to external data contain no tables.',
    remediation: 'Set a default key: `bq update --default_kms_key=KEY PROJECT:DATASET`.',
    compliance: cis({ v4: '7.3', v5: '7.3' }),
    noFix: 'needs the name of a key',
  },
  {
    path: 'defaultEncryptionConfiguration.kmsKeyName',
    isExempt: (dataset) => isOf(dataset, ['LINKED', 'EXTERNAL']),
    message: 'This dataset has no default encryption key for new tables.',
  },
);

const bqTableCmek = requiredSettingRule(
  {
    id: 'bq-table-cmek',
    title: 'BigQuery table is not encrypted with a customer-managed key',
    severity: 'low',
    category: 'database',
    assetTypes: ['bigquery.googleapis.com/Table'],
    description:
      'A table is encrypted with Google-managed keys unless it was created with a customer-managed key. Views and external tables store no data.',
    remediation:
      'Copy the table onto itself with a key: `bq cp -f --destination_kms_key=KEY DATASET.TABLE DATASET.TABLE`.',
    compliance: cis({ v4: '7.2', v5: '7.2' }),
    noFix: 'needs the name of a key',
  },
  {
    path: 'encryptionConfiguration.kmsKeyName',
    isExempt: (table) => isOf(table, ['VIEW', 'EXTERNAL']),
    message: 'This table is encrypted with Google-managed keys.',
  },
);

/** A record without a type is of the common one, which stores data. */
function isOf(record: JsonObject, types: readonly string[]): boolean {
  const type = enumAt(record, 'type');
  return type !== null && types.includes(type);
}

export const BIGQUERY_ENCRYPTION_RULES: readonly Rule[] = [bqDatasetCmek, bqTableCmek];
