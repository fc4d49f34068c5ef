// The participants: our server, the same service in other frameworks, and a minimal server.

/**
 * @typedef {object} Entrant
 * @property {string} name
 * @property {string} title what it is made of
 * @property {'ours' | 'prisma' | 'drizzle' | 'floor'} kind
 */

/** @type {readonly Entrant[]} */
export const ENTRANTS = [
  { name: 'ours', title: 'this server', kind: 'ours' },
  { name: 'fastify', title: 'Fastify + Prisma', kind: 'prisma' },
  { name: 'hono', title: 'Hono + Prisma', kind: 'prisma' },
  { name: 'nest', title: 'NestJS + Prisma', kind: 'prisma' },
  { name: 'orpc', title: 'oRPC + Prisma', kind: 'prisma' },
  { name: 'express', title: 'Express + Prisma', kind: 'prisma' },
  { name: 'fastify-drizzle', title: 'Fastify + Drizzle', kind: 'drizzle' },
  { name: 'floor', title: 'node:http + pg', kind: 'floor' },
];

/**
 * Our server and the named others; without names: all.
 * @param {readonly string[]} names
 * @throws {Error} for an unknown name
 */
export function entrantsNamed(names) {
  const unknown = names.find((name) => !ENTRANTS.some((entrant) => entrant.name === name));
  if (unknown !== undefined) {
    throw new Error(
      `Nobody here is called ${unknown}: ${ENTRANTS.map(({ name }) => name).join(', ')}.`,
    );
  }
  return ENTRANTS.filter(
    ({ name, kind }) => names.length === 0 || kind === 'ours' || names.includes(name),
  );
}
