# docker build -t filigree .
# Files are served from /srv, settings are read from /config/settings.json, users and links are kept in /database.

FROM node:26-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm run release

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /build/dist/release/filigree /opt/filigree
COPY deploy/docker/enter.js /opt/filigree/docker/enter.js
COPY deploy/docker/settings.json /etc/filigree/.filigree.json
RUN ln -s /opt/filigree/docker/enter.js /usr/local/bin/filigree && mkdir -p /srv /config /database
VOLUME ["/srv", "/config", "/database"]
EXPOSE 80
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["filigree", "health"]
ENTRYPOINT ["filigree"]
