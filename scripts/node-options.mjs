/** Node options of `npm start`, the image, the standalone build and the benchmarks: decisions 0075 and 0082. */
export const SERVER_NODE_OPTIONS = ['--v8-pool-size=1', '--heap-growing-percent=100'];
