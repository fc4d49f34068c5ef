# The server in one small image: built with npm, run with Node alone.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund && npm run build

FROM node:24-bookworm-slim
# No METRICS_PORT: metrics are off unless an operator sets one, and then for their collector alone.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/tmp/cspm
WORKDIR /app
# Owned by root and read only for the server.
COPY --from=build /build/dist/standalone ./
USER node
EXPOSE 3000
# A worker (WORKER=only) serves nothing and needs no probe of this kind: it is `--no-healthcheck` there.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and handles SIGTERM: it drains, and exits after at most 35 s. Use `docker stop -t 40`.
STOPSIGNAL SIGTERM
# One thread beside the event loop collects garbage, instead of four: 18 MB less at rest, and shorter waits on few cores. All
# garbage is collected only when memory has doubled, which saves processor time during uploads and scans.
CMD ["node", "--v8-pool-size=1", "--heap-growing-percent=100", "dist/server/main.mjs"]
