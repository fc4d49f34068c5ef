// Runs in a worker thread: bcrypt on the main thread would stall every other request for a quarter of a second.
import { compare, hash } from 'bcryptjs';

/** @param {{ password: string, cost: number } | { password: string, hash: string }} task */
export default function work(task) {
  return 'hash' in task ? compare(task.password, task.hash) : hash(task.password, task.cost);
}
