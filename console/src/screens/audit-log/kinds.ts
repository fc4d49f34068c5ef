/** The kinds of credential that events can have. */
export const KIND_TEXT: Readonly<Record<string, string>> = {
  jwt: 'Sessions',
  api_key: 'API keys',
  global_api_key: 'Global API key',
  master_key: 'Master key',
  person: 'Sign-ins',
  schedule: 'Schedules',
  webhook: 'Webhooks',
};
