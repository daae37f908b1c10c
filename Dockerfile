# docker build -t filigree .                 the plain edition
# docker build -t filigree:full --target full .   with ffmpeg, for images of videos, bubblewrap, for commands and hooks, and
#   LibreOffice, for documents as pages
# Files are served from /srv, settings are read from /config/settings.json, users and links are kept in /database.
# docker run --rm -p 127.0.0.1:8080:80 filigree demo   a made-up home in the memory of the container, made again every hour
# npm run test:image builds both without a registry, and tries them.
ARG NODE_IMAGE=node:26-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
RUN npm run release -- --without-deb && node scripts/bundle-demo.mjs dist/demo
# Names for debuggers are a quarter of the program.
RUN apt-get update && apt-get install -y --no-install-recommends binutils && strip -o /usr/local/bin/node-small /usr/local/bin/node

FROM ${BASE_IMAGE} AS plain
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/* /var/cache/apt
COPY --from=build /usr/local/bin/node-small /usr/local/bin/node
COPY --from=build /build/dist/release/filigree /opt/filigree
COPY --from=build /build/dist/demo /opt/filigree/demo
COPY deploy/docker/enter.js deploy/docker/first-start.js deploy/docker/ingress.js /opt/filigree/docker/
COPY deploy/docker/settings.json /etc/filigree/.filigree.json
RUN ln -s /opt/filigree/docker/enter.js /usr/local/bin/filigree && mkdir -p /srv /config /database && \
  chown 1000:1000 /config /database
# Build arguments, since no address is written here.
ARG VERSION
ARG REVISION
ARG SOURCE
LABEL org.opencontainers.image.title="Filigree" \
  org.opencontainers.image.description="A self-hosted web file manager" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.source="${SOURCE}"
VOLUME ["/srv", "/config", "/database"]
EXPOSE 80
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["filigree", "health"]
ENTRYPOINT ["filigree"]

FROM plain AS full
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg bubblewrap fonts-liberation2 \
  libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui && rm -rf /var/lib/apt/lists/* /var/cache/apt

FROM plain
