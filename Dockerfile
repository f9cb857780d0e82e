# Every service of Verdict from one file:
#
#   docker build --target service --build-arg SERVICE=gateway -t verdict/gateway .
#   docker build --target operator -t verdict/operator .
#
# SERVICE is gateway, scoring, worker or control-plane. `operator` is the command line, which also applies migrations.
# No instruction needs BuildKit, and nothing in it depends on the processor.

FROM node:24-bookworm-slim AS build
ENV CI=true npm_config_update_notifier=false
RUN npm install --global pnpm@10.34.8
WORKDIR /build
# The lock file alone decides what is downloaded, so a change of our code does not download anything again.
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.cjs ./
RUN pnpm fetch
COPY . .
RUN pnpm install --offline --frozen-lockfile --ignore-scripts \
 && pnpm run build
# Production dependencies of each service, as the lock file has them, with our own packages copied in.
RUN for service in gateway scoring worker control-plane operator-cli; do \
      pnpm --config.inject-workspace-packages=true --filter "@verdict/$service" \
        deploy --prod --ignore-scripts "/deploy/$service" || exit 1; \
      cp -r config prisma "/deploy/$service/" || exit 1; \
    done \
 # Scoring and the gateway have neither plans nor a database.
 && rm -r /deploy/scoring/config /deploy/scoring/prisma /deploy/gateway/config /deploy/gateway/prisma

# What all images share. Files belong to root and the process does not: nothing in the image can be changed from inside,
# and the root file system may be mounted read-only.
FROM node:24-bookworm-slim AS runtime
ENV NODE_ENV=production \
    NODE_OPTIONS=--enable-source-maps \
    HOST=0.0.0.0 \
    PORT=8080 \
    INTERNAL_HOST=0.0.0.0 \
    INTERNAL_PORT=9080 \
    PLANS_FILE=/app/config/plans.json
WORKDIR /app
# Where a volume for published lists is mounted; a new volume takes its owner from here.
RUN mkdir /datasets && chown node:node /datasets
USER node
# Node is process 1 and handles SIGTERM itself: it becomes unready, finishes what it has in hand and leaves.
# The young generation keeps its size, so that memory does: V8 would cut it down in a quiet minute and let it grow back.
ENTRYPOINT ["node", "--min-semi-space-size=16", "dist/src/main.js"]

FROM runtime AS operator
COPY --from=build /deploy/operator-cli /app

FROM runtime AS service
ARG SERVICE=gateway
COPY --from=build /deploy/${SERVICE} /app
EXPOSE 8080 9080
# Generous, because a machine that is short of CPU must not be told that its services are ill.
HEALTHCHECK --interval=5s --timeout=10s --start-period=60s --retries=5 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.INTERNAL_PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
