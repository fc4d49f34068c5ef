// Node 20 and 22 only know the processor time of all threads of the process, which is at least that of this thread.
const { threadCpuUsage = process.cpuUsage } = process as {
  threadCpuUsage?: () => NodeJS.CpuUsage;
};

/**
 * The processor time of this thread so far, in ms, or of all threads. Time in which another process has the processor
 * does not count.
 */
export function cpuMs(): number {
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1_000;
}
