# The product in an image of less than 400 MB: the built server, the packages that it loads, and Node without npm.
# deploy/image.sh builds and starts it. For a reproducible build, pin both base images by their digests
# (node:24-bookworm-slim@sha256:…), and update the digests with every security release of Node and Debian. Both are of
# the same Debian, because the second gets its Node from the first.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Install scripts of packages are disabled; none is needed.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# Packages that only tests and builds need stay behind here.
RUN npm run build && node server/image.mjs /image && mkdir /data

FROM debian:bookworm-slim
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 DATA_DIR=/data
COPY --from=build /usr/local/bin/node /usr/local/bin/node
# Its files belong to root, so that the process cannot change its own program. It writes to /data only.
COPY --from=build /image /app
COPY --from=build --chown=1000:1000 /data /data
# As a number, so that Kubernetes can check that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/livez`).then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "--heap-growing-percent=200", "--max-inlined-bytecode-size=1000", "--max-inlined-bytecode-size-cumulative=3000", "dist/main.cjs"]
