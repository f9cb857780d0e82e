# Every service of Verdict from one file:
#
#   docker build --target service --build-arg SERVICE=gateway -t verdict/gateway .
#   docker build --target operator -t verdict/operator .
#
# SERVICE is gateway, scoring, worker or control-plane. `operator` is the command line, which also applies migrations.
# No instruction needs BuildKit, and nothing in it depends on the processor.

ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
ENV CI=true npm_config_update_notifier=false
WORKDIR /build
# The lock file alone decides what is downloaded, so a change of our code does not download anything again.
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY scripts/pnpm.mjs scripts/
COPY scripts/lib/pnpm.mjs scripts/lib/pinned-package.mjs scripts/lib/paths.mjs scripts/lib/
RUN node scripts/pnpm.mjs fetch --prod --ignore-scripts
COPY . .
# The bundles, their assets, and the package that cannot be bundled, with its native part for this processor.
RUN node scripts/build.mjs && cp -rL node_modules/.pnpm/@node-rs+argon2@*/node_modules dist/node_modules

# What all images share. Files belong to root and the process does not: nothing in the image can be changed from inside,
# and the root file system may be mounted read-only.
FROM ${NODE_IMAGE} AS runtime
ENV NODE_ENV=production \
    NODE_OPTIONS=--enable-source-maps \
    NODE_COMPILE_CACHE=/app/compile-cache \
    HOST=0.0.0.0 \
    PORT=8080 \
    INTERNAL_HOST=0.0.0.0 \
    INTERNAL_PORT=9080 \
    PLANS_FILE=/app/config/plans.json
WORKDIR /app
COPY package.json /app/
COPY config /app/config
COPY --from=build /build/dist /app/dist
# Where volumes for published lists, the operator's files and archived checks are mounted; a new volume takes its owner from here.
RUN mkdir /datasets /files /facts && chown node:node /datasets /files /facts

FROM runtime AS operator
RUN printf '#!/bin/sh\nexec node /app/dist/services/verdict.js "$@"\n' > /usr/local/bin/verdict \
  && chmod +x /usr/local/bin/verdict && verdict --version
USER node
WORKDIR /files
ENTRYPOINT ["verdict"]

FROM runtime AS service
ARG SERVICE=gateway
# Loads the service once, which leaves what V8 compiled in the cache for every later start.
RUN echo "import './${SERVICE}.js';" > dist/services/main.js && (timeout 5 node dist/services/main.js > /dev/null || true)
USER node
EXPOSE 8080 9080
# Generous, because a machine that is short of CPU must not be told that its services are ill.
HEALTHCHECK --interval=5s --timeout=10s --start-period=60s --retries=5 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.INTERNAL_PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and handles SIGTERM itself: it becomes unready, finishes what it has in hand and leaves.
# The young generation keeps its size, so that memory does: V8 would cut it down in a quiet minute and let it grow back.
ENTRYPOINT ["node", "--min-semi-space-size=16", "dist/services/main.js"]
