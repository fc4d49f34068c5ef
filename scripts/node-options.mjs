/** Options of node for a server, wherever it is started: decision 0075. */
export const SERVER_NODE_OPTIONS = ['--v8-pool-size=1'];
