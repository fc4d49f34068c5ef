// Generated from the contract by `npm run generate`. Do not edit.
import type { FixedLimit, Operation } from './operation.ts';

/** What the client knows of each operation at run time. */
export const operations = {
  auth: {
    login: { method: 'POST', path: '/auth/login', idempotency: 'none', limit: 'login', public: true, body: 'json', opensSession: true },
    refresh: { method: 'POST', path: '/auth/refresh', idempotency: 'none', limit: 'refresh', public: true, body: 'json', opensSession: true },
    logout: { method: 'POST', path: '/auth/logout', idempotency: 'natural', public: true, body: 'json' },
    me: { method: 'GET', path: '/auth/me', idempotency: 'safe' },
  },
  apiKeys: {
    list: { method: 'GET', path: '/api-keys', idempotency: 'safe', list: true },
    create: { method: 'POST', path: '/api-keys', idempotency: 'accepted', body: 'json' },
    revoke: { method: 'DELETE', path: '/api-keys/:id', idempotency: 'natural' },
  },
  projects: {
    list: { method: 'GET', path: '/projects', idempotency: 'safe', list: true },
    create: { method: 'POST', path: '/projects', idempotency: 'accepted', body: 'json' },
    get: { method: 'GET', path: '/projects/:name', idempotency: 'safe' },
    delete: { method: 'DELETE', path: '/projects/:name', idempotency: 'natural' },
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
  },
  findings: {
    list: { method: 'GET', path: '/findings', idempotency: 'safe', list: true },
    get: { method: 'GET', path: '/findings/:id', idempotency: 'safe' },
  },
  rules: {
    list: { method: 'GET', path: '/rules', idempotency: 'safe', list: true },
    get: { method: 'GET', path: '/rules/:id', idempotency: 'safe' },
  },
  profiles: {
    list: { method: 'GET', path: '/profiles', idempotency: 'safe', list: true },
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
  refresh: { quota: 10, windowSeconds: 60 },
};
