export { currentIdOf } from './queries.ts';
