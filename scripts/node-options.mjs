/** Node options of `npm start`, the image, the standalone build and the benchmarks: decision 0075. */
export const SERVER_NODE_OPTIONS = ['--v8-pool-size=1'];
