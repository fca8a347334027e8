# For a reproducible build, pin the base image by its digest (node:24-slim@sha256:…) in both places, and update the digest
# with every security release of Node and Debian.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Install scripts of packages are disabled; none is needed.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
COPY --from=build --chown=node:node /app /app
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/livez').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "--heap-growing-percent=200", "--max-inlined-bytecode-size=1000", "--max-inlined-bytecode-size-cumulative=3000", "dist/main.cjs"]
