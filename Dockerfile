# The server in an image without a shell, a package manager or Node: docs/self-hosting/container.md
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /lectern
COPY . .
RUN npx -y pnpm@12 install --frozen-lockfile \
  && npx -y pnpm@12 build:binary \
  && deploy/image.sh /image

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /image/usr /usr
COPY --from=build --chown=65532:65532 /image/volume/ /
ENV LECTERN_DATA=/data LECTERN_HOST=0.0.0.0 LECTERN_PORT=4000 LECTERN_INTEGRATIONS_PORT=4001 \
  MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536
USER 65532:65532
VOLUME /data
EXPOSE 4000 4001
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s CMD ["/usr/bin/lectern", "health"]
ENTRYPOINT ["/usr/bin/lectern"]
CMD ["serve"]
