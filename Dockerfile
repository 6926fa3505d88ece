FROM node:20.20.2-slim AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json tsconfig.build.json ./
COPY src src
RUN npm ci --no-audit --no-fund && npm prune --omit=dev --ignore-scripts

FROM node:20.20.2-slim
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
RUN mkdir /data && chown node /data
USER node
VOLUME /data
WORKDIR /data
ENTRYPOINT ["node", "/app/dist/cli/main.js"]
