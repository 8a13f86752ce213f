# What docker-compose.yml pulls for PostgreSQL, Redis and S3, from Debian's packages: the same
# commands, users, variables and folders.
ARG BASE
FROM ${BASE}
# Before the packages, which would take the next free ids.
RUN groupadd --gid 999 postgres && useradd --uid 999 --gid 999 postgres
RUN groupadd --gid 1001 redis && useradd --uid 1001 --gid redis redis
RUN apt-get update -qq \
  && apt-get install --yes -qq --no-install-recommends curl postgresql redis-server \
  && rm -rf /var/lib/postgresql && install -d -o 999 -g 999 /var/lib/postgresql \
  && install -d -o 999 -g 999 -m 3777 /var/run/postgresql \
  && install -d -o 999 -g 1000 /data
COPY --chmod=755 docker-entrypoint.sh silo minio /usr/local/bin/
WORKDIR /data
ENTRYPOINT ["docker-entrypoint.sh"]
