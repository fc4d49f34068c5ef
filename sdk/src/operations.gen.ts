// Generated from the contract by `npm run generate`. Do not edit.
import type { FixedLimit, Operation } from './operation.ts';

/** What the client knows of each operation at run time. */
export const operations = {
  auth: {
    login: { method: 'POST', path: '/auth/login', idempotency: 'none', limit: 'login', public: true, body: 'json', opensSession: true },
    refresh: { method: 'POST', path: '/auth/refresh', idempotency: 'none', limit: 'refresh', public: true, body: 'json', opensSession: true },
    logout: { method: 'POST', path: '/auth/logout', idempotency: 'natural', public: true, body: 'json' },
    logoutAll: { method: 'POST', path: '/auth/logout-all', idempotency: 'natural' },
    register: { method: 'POST', path: '/auth/register', idempotency: 'none', limit: 'register', public: true, body: 'json' },
    verifyEmail: { method: 'POST', path: '/auth/verify-email', idempotency: 'none', limit: 'verify-email', public: true, body: 'json' },
    resendVerification: { method: 'POST', path: '/auth/resend-verification', idempotency: 'none', limit: 'resend-verification', public: true, body: 'json' },
    forgotPassword: { method: 'POST', path: '/auth/forgot-password', idempotency: 'none', limit: 'forgot-password', public: true, body: 'json' },
    resetPassword: { method: 'POST', path: '/auth/reset-password', idempotency: 'none', limit: 'reset-password', public: true, body: 'json' },
    acceptInvite: { method: 'POST', path: '/auth/accept-invite', idempotency: 'none', public: true, body: 'json' },
    changePassword: { method: 'POST', path: '/auth/change-password', idempotency: 'none', body: 'json' },
    google: { method: 'POST', path: '/auth/google', idempotency: 'none', limit: 'google', public: true, body: 'json', opensSession: true },
    exchange: { method: 'POST', path: '/auth/exchange', idempotency: 'none', public: true, body: 'json', opensSession: true },
    me: { method: 'GET', path: '/auth/me', idempotency: 'safe' },
  },
  twoFactor: {
    setup: { method: 'POST', path: '/auth/2fa/setup', idempotency: 'none', limit: '2fa', body: 'json' },
    enable: { method: 'POST', path: '/auth/2fa/enable', idempotency: 'none', limit: '2fa', body: 'json' },
    verify: { method: 'POST', path: '/auth/2fa/verify', idempotency: 'none', limit: '2fa', body: 'json', opensSession: true },
    disable: { method: 'POST', path: '/auth/2fa/disable', idempotency: 'none', limit: '2fa', body: 'json' },
    recoveryCodes: { method: 'POST', path: '/auth/2fa/recovery-codes', idempotency: 'none', limit: '2fa', body: 'json' },
  },
  sessions: {
    list: { method: 'GET', path: '/sessions', idempotency: 'safe', list: true },
    revoke: { method: 'DELETE', path: '/sessions/:id', idempotency: 'natural' },
  },
  apiKeys: {
    list: { method: 'GET', path: '/api-keys', idempotency: 'safe', list: true },
    create: { method: 'POST', path: '/api-keys', idempotency: 'accepted', body: 'json' },
    revoke: { method: 'DELETE', path: '/api-keys/:id', idempotency: 'natural' },
  },
  users: {
    list: { method: 'GET', path: '/users', idempotency: 'safe', list: true },
    create: { method: 'POST', path: '/users', idempotency: 'accepted', body: 'json' },
    get: { method: 'GET', path: '/users/:id', idempotency: 'safe' },
    update: { method: 'PATCH', path: '/users/:id', idempotency: 'natural', body: 'json' },
    delete: { method: 'DELETE', path: '/users/:id', idempotency: 'natural' },
  },
  roles: {
    list: { method: 'GET', path: '/roles', idempotency: 'safe', list: true },
    create: { method: 'POST', path: '/roles', idempotency: 'accepted', body: 'json' },
    update: { method: 'PUT', path: '/roles/:name', idempotency: 'natural', body: 'json' },
    delete: { method: 'DELETE', path: '/roles/:name', idempotency: 'natural' },
  },
  tenant: {
    get: { method: 'GET', path: '/tenant', idempotency: 'safe' },
    update: { method: 'PATCH', path: '/tenant', idempotency: 'natural', body: 'json' },
  },
  saml: {
    getSettings: { method: 'GET', path: '/tenant/saml', idempotency: 'safe' },
    putSettings: { method: 'PUT', path: '/tenant/saml', idempotency: 'natural', body: 'json' },
    deleteSettings: { method: 'DELETE', path: '/tenant/saml', idempotency: 'natural' },
  },
  auditEvents: {
    list: { method: 'GET', path: '/audit-events', idempotency: 'safe', list: true },
  },
  projects: {
    list: { method: 'GET', path: '/projects', idempotency: 'safe', list: true },
    create: { method: 'POST', path: '/projects', idempotency: 'accepted', body: 'json' },
    get: { method: 'GET', path: '/projects/:name', idempotency: 'safe' },
    update: { method: 'PATCH', path: '/projects/:name', idempotency: 'natural', body: 'json' },
    delete: { method: 'DELETE', path: '/projects/:name', idempotency: 'natural' },
    inventories: { method: 'GET', path: '/projects/:name/inventories', idempotency: 'safe', list: true },
    uploadInventory: { method: 'PUT', path: '/projects/:name/inventory', idempotency: 'natural', body: 'inventory' },
  },
  preflight: {
    run: { method: 'POST', path: '/preflight', idempotency: 'safe', limit: 'preflight', body: 'json' },
  },
  scans: {
    list: { method: 'GET', path: '/scans', idempotency: 'safe', list: true },
    launch: { method: 'POST', path: '/scans', idempotency: 'accepted', limit: 'scans', body: 'json' },
    get: { method: 'GET', path: '/scans/:id', idempotency: 'safe' },
    rules: { method: 'GET', path: '/scans/:id/rules', idempotency: 'safe', list: true },
    compliance: { method: 'GET', path: '/scans/:id/compliance', idempotency: 'safe' },
    cancel: { method: 'POST', path: '/scans/:id/cancel', idempotency: 'natural' },
  },
  findings: {
    list: { method: 'GET', path: '/findings', idempotency: 'safe', list: true },
    summary: { method: 'GET', path: '/findings/summary', idempotency: 'safe' },
    get: { method: 'GET', path: '/findings/:id', idempotency: 'safe' },
  },
  mutes: {
    list: { method: 'GET', path: '/mutes', idempotency: 'safe', list: true },
    create: { method: 'POST', path: '/mutes', idempotency: 'accepted', body: 'json' },
    delete: { method: 'DELETE', path: '/mutes/:id', idempotency: 'natural' },
  },
  rules: {
    list: { method: 'GET', path: '/rules', idempotency: 'safe', list: true },
    get: { method: 'GET', path: '/rules/:id', idempotency: 'safe' },
  },
  customRules: {
    list: { method: 'GET', path: '/custom-rules', idempotency: 'safe', list: true },
    create: { method: 'POST', path: '/custom-rules', idempotency: 'accepted', body: 'json' },
    update: { method: 'PUT', path: '/custom-rules/:id', idempotency: 'natural', body: 'json' },
    delete: { method: 'DELETE', path: '/custom-rules/:id', idempotency: 'natural' },
    test: { method: 'POST', path: '/custom-rules/test', idempotency: 'safe', limit: 'preflight', body: 'json' },
  },
  profiles: {
    list: { method: 'GET', path: '/profiles', idempotency: 'safe', list: true },
    create: { method: 'POST', path: '/profiles', idempotency: 'accepted', body: 'json' },
    update: { method: 'PUT', path: '/profiles/:name', idempotency: 'natural', body: 'json' },
    delete: { method: 'DELETE', path: '/profiles/:name', idempotency: 'natural' },
  },
  meta: {
    live: { method: 'GET', path: '/health/live', idempotency: 'safe', limit: 'none', public: true },
    ready: { method: 'GET', path: '/health/ready', idempotency: 'safe', limit: 'none', public: true },
    openapi: { method: 'GET', path: '/openapi.json', idempotency: 'safe', public: true },
    problem: { method: 'GET', path: '/problems/:code', idempotency: 'safe', public: true },
  },
} as const satisfies Record<string, Record<string, Operation>>;

/** The limits that are the same on every server. */
export const limits: Readonly<Record<string, FixedLimit>> = {
  scans: { quota: 10, windowSeconds: 60 },
  preflight: { quota: 10, windowSeconds: 60 },
  login: { quota: 5, windowSeconds: 60 },
  register: { quota: 5, windowSeconds: 60 },
  'reset-password': { quota: 5, windowSeconds: 60 },
  'verify-email': { quota: 10, windowSeconds: 60 },
  'forgot-password': { quota: 3, windowSeconds: 60 },
  'resend-verification': { quota: 3, windowSeconds: 60 },
  google: { quota: 10, windowSeconds: 60 },
  refresh: { quota: 10, windowSeconds: 60 },
  '2fa': { quota: 5, windowSeconds: 60 },
};
