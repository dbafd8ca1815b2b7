# The first two stages make the packages and the portal for the third one. The container downloads nothing when it starts.

FROM node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553 AS packages
WORKDIR /parley
COPY package.json package-lock.json .npmrc ./
# The image has its own Node; that of the project, an optional package, would be a second one.
RUN npm ci --omit=dev --omit=optional

FROM node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553 AS portal
WORKDIR /parley
COPY package.json package-lock.json .npmrc ./
# Optional packages too, because they contain the programs of some tools.
RUN npm ci
COPY . .
RUN node scripts/main.mjs docs

FROM node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553
# "Performance of one process" in the guide "Scaling" explains the options of V8.
ENV NODE_ENV=production \
    NODE_OPTIONS="--v8-pool-size=0 --max-semi-space-size=4" \
    NODE_COMPILE_CACHE=/parley/node_modules/.cache/compiled \
    HOST=0.0.0.0 \
    PORT=8080
WORKDIR /parley
COPY --from=packages /parley/node_modules ./node_modules
COPY --from=portal /parley/dist/docs ./dist/docs
COPY package.json ./
COPY generated ./generated
COPY client ./client
COPY server ./server
# Compiles the files once, so that processes start in half the time.
RUN node server/main.ts --help >/dev/null && node server/worker.ts --help >/dev/null && \
    node server/operator/main.ts --help >/dev/null
# The folder of the embedded database, which is used without DATABASE_URL.
RUN mkdir data && chown node:node data
USER node
VOLUME /parley/data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/main.ts"]
