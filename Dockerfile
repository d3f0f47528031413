# Checks documents. Go code needs a Go toolchain beside the tool, which this
# small image has not.
FROM scratch
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/shapevet /usr/bin/shapevet
WORKDIR /work
# Where what was checked is remembered: nowhere, the container is gone after it.
ENV SHAPEVET_CACHE=off TMPDIR=/work
ENTRYPOINT ["/usr/bin/shapevet"]
