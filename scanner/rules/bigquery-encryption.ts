import { cis } from '../compliance.ts';
import { enumAt } from '../facts/enumeration.ts';
import type { JsonObject } from '../json.ts';
import type { Rule } from '../rule.ts';
import { requiredSettingRule } from './required-setting.ts';

const bqDatasetCmek = requiredSettingRule(
  {
    id: 'bq-dataset-cmek',
    title: 'BigQuery dataset names no encryption key',
    severity: 'low',
    category: 'database',
    assetTypes: ['bigquery.googleapis.com/Dataset'],
    description:
      'New tables of a dataset are encrypted with a key of yours, which you can rotate, watch and take away, only where the dataset names one for them. Datasets that show data kept elsewhere hold no tables.',
    remediation: 'Name a default key: bq update --default_kms_key=KEY PROJECT:DATASET.',
    compliance: cis({ v4: '7.3', v5: '7.3' }),
  },
  {
    path: 'defaultEncryptionConfiguration.kmsKeyName',
    isExempt: (dataset) => isOf(dataset, ['LINKED', 'EXTERNAL']),
    message: 'This dataset names no encryption key for its new tables.',
  },
);

const bqTableCmek = requiredSettingRule(
  {
    id: 'bq-table-cmek',
    title: 'BigQuery table is not encrypted with a key of yours',
    severity: 'low',
    category: 'database',
    assetTypes: ['bigquery.googleapis.com/Table'],
    description:
      'A table is encrypted with keys that Google holds unless it was made with one of yours. Views and external tables keep no data of their own.',
    remediation:
      'Copy the table onto itself with a key: bq cp -f --destination_kms_key=KEY DATASET.TABLE DATASET.TABLE.',
    compliance: cis({ v4: '7.2', v5: '7.2' }),
  },
  {
    path: 'encryptionConfiguration.kmsKeyName',
    isExempt: (table) => isOf(table, ['VIEW', 'EXTERNAL']),
    message: 'This table is encrypted with keys that Google holds.',
  },
);

/** A record without a type is of the common one, which keeps data. */
function isOf(record: JsonObject, types: readonly string[]): boolean {
  const type = enumAt(record, 'type');
  return type !== null && types.includes(type);
}

export const BIGQUERY_ENCRYPTION_RULES: readonly Rule[] = [bqDatasetCmek, bqTableCmek];
