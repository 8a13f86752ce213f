#!/bin/sh
# Installs or upgrades Floe as a service of systemd, on Debian 12 and 13 and in LXC containers.
set -eu
umask 022

usage() {
  cat <<'TEXT'
usage: install.sh [--root DIR] [TARBALL]
       install.sh [--root DIR] --uninstall

TARBALL is a release, floe-<version>-linux-x64.tar.xz; without it, the one in the current
folder is taken. If SHA256SUMS lies beside it, the release is checked against that. Run it again with a
newer release to upgrade.

  --root DIR     install below DIR, for example into an image, and start nothing
  --uninstall    remove the program and the service; data and settings stay
TEXT
}

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

root=''
tarball=''
uninstalls=no
while [ $# -gt 0 ]; do
  case $1 in
    --root)
      [ $# -ge 2 ] || fail '--root needs a folder.'
      [ -d "$2" ] || fail "$2 is not a folder."
      root=$(CDPATH='' cd -- "$2" && pwd)
      shift
      ;;
    --uninstall) uninstalls=yes ;;
    -h | --help)
      usage
      exit 0
      ;;
    -*) fail "$1 is not an option; see --help." ;;
    *)
      [ -z "$tarball" ] || fail 'One release at a time.'
      tarball=$1
      ;;
  esac
  shift
done

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
programs=$root/opt/floe
settings=$root/etc/floe
data=$root/var/lib/floe
unit=$root/etc/systemd/system/floe.service
is_root=no
[ "$(id -u)" -ne 0 ] || is_root=yes
runs_systemd=no
[ -n "$root" ] || [ ! -d /run/systemd/system ] || runs_systemd=yes

[ $is_root = yes ] || [ -n "$root" ] || fail 'Run this as root.'

enable_or_disable() {
  command -v systemctl >/dev/null || return 0
  systemctl ${root:+"--root=$root"} --quiet "$1" floe.service
}

uninstall() {
  [ $runs_systemd = no ] || systemctl stop floe.service 2>/dev/null || true
  if [ -e "$unit" ]; then
    enable_or_disable disable
    rm "$unit"
  fi
  rm -rf "$programs"
  [ $runs_systemd = no ] || systemctl daemon-reload
  echo "Floe is removed. Data stays in $data and settings in $settings; delete them if you need neither."
}

find_tarball() {
  [ -z "$tarball" ] || return 0
  for candidate in ./floe-*-linux-*.tar.xz; do
    [ -e "$candidate" ] || fail 'Name the release to install; see --help.'
    [ -z "$tarball" ] || fail 'There are several releases here; name one of them.'
    tarball=$candidate
  done
}

# Sets name, version and arch.
check_tarball() {
  [ -f "$tarball" ] || fail "$tarball is not a file."
  name=$(basename -- "$tarball")
  case $name in
    floe-*-linux-*.tar.xz) ;;
    *) fail "$name is not named like a release: floe-<version>-linux-<architecture>.tar.xz." ;;
  esac
  version=${name#floe-}
  version=${version%-linux-*}
  arch=${name##*-linux-}
  arch=${arch%.tar.xz}
  case $(uname -m) in
    x86_64) machine=x64 ;;
    aarch64) machine=arm64 ;;
    *) machine=$(uname -m) ;;
  esac
  [ "$arch" = "$machine" ] || fail "This release is for $arch, and this machine is $machine."
}

check_sum() {
  sums=$(dirname -- "$tarball")/SHA256SUMS
  if [ ! -f "$sums" ]; then
    echo 'There is no SHA256SUMS beside the release: it is not checked.'
    return 0
  fi
  line=$(awk -v name="$name" '$2 == name || $2 == "*" name' "$sums")
  [ -n "$line" ] || fail "SHA256SUMS does not list $name."
  (cd "$(dirname -- "$tarball")" && echo "$line" | sha256sum --check --status -) ||
    fail "$name is not what SHA256SUMS says. Download it again."
  echo 'The release is what SHA256SUMS says.'
}

# The service looks for it in these folders.
check_node() {
  node=$(PATH=$root/usr/local/sbin:$root/usr/local/bin:$root/usr/sbin:$root/usr/bin command -v node) ||
    fail_node 'Node.js is not installed.'
  found=$("$node" --version)
  numbers=${found#v}
  major=${numbers%%.*}
  rest=${numbers#*.}
  minor=${rest%%.*}
  if [ "$major" -lt 20 ] || { [ "$major" -eq 20 ] && [ "$minor" -lt 19 ]; } ||
    [ "$major" -eq 21 ] || { [ "$major" -eq 22 ] && [ "$minor" -lt 12 ]; }; then
    fail_node "Node.js $found is too old."
  fi
}

fail_node() {
  fail "$1 Floe needs 20.19 or newer (of the 22 line, 22.12 or newer).
Debian 13 has it: apt-get install nodejs
Debian 12 does not. Take the current LTS of https://nodejs.org/en/download and unpack it below /usr/local:
  tar -xJf node-v*-linux-*.tar.xz --strip-components=1 -C /usr/local"
}

create_user() {
  grep -q '^floe:' "$root/etc/passwd" 2>/dev/null && return 0
  if [ $is_root = no ] || [ ! -e "$root/etc/passwd" ]; then
    echo "Create the system user floe below $root before Floe starts."
    return 0
  fi
  useradd ${root:+--prefix "$root"} --system --user-group --home-dir /var/lib/floe \
    --no-create-home --shell /usr/sbin/nologin floe
}

# The user's number, as the root folder knows it.
give() {
  owner=$(awk -F: '$1 == "floe" { print $3 ":" $4 }' "$root/etc/passwd" 2>/dev/null) || owner=''
  [ $is_root = no ] || [ -z "$owner" ] || chown "$1:${owner#*:}" "$2"
}

# Complete or not there at all, whatever happens on the way.
unpack() {
  [ ! -e "$programs/$version" ] || return 0
  command -v xz >/dev/null || fail 'xz is missing: apt-get install xz-utils'
  mkdir -p "$programs"
  new=$(mktemp -d "$programs/.new-XXXXXX")
  trap 'rm -rf "$new"' EXIT
  chmod 755 "$new"
  tar -xJf "$tarball" -C "$new" --strip-components=1 --no-same-owner --no-same-permissions
  for part in bin/dist/main.js node_modules web/dist package.json; do
    [ -e "$new/$part" ] || fail "$name has no $part; it is not a release of Floe."
  done
  mv "$new" "$programs/$version"
  trap - EXIT
}

# Sets before: the version that ran until now.
switch() {
  before=$(readlink "$programs/current" 2>/dev/null) || before=''
  ln -sfn "$version" "$programs/.current"
  mv -T "$programs/.current" "$programs/current"
  [ "$before" != "$version" ] || before=''
  for old in "$programs"/*; do
    case ${old##*/} in
      current | "$version" | "$before") ;;
      *) [ -z "$before" ] || rm -rf "$old" ;;
    esac
  done
}

write_settings() {
  mkdir -p "$settings"
  give 0 "$settings"
  chmod 750 "$settings"
  if [ ! -e "$settings/floe.env" ]; then
    cat >"$settings/floe.env" <<TEXT
# Environment of Floe, read when it starts: systemctl restart floe
# docs/administer/environment.md has all variables. What is empty has its default.

# The address that people use, for example https://files.example.org
PUBLIC_URL=${PUBLIC_URL:-}
# Behind a reverse proxy: its address, and 127.0.0.1 for HOST if it runs on this machine.
TRUSTED_PROXIES=${TRUSTED_PROXIES:-}
HOST=${HOST:-}
PORT=${PORT:-3000}
DATA_DIR=/var/lib/floe
LOG_LEVEL=info
TEXT
  fi
  give 0 "$settings/floe.env"
  chmod 640 "$settings/floe.env"
}

create_data() {
  [ ! -e "$data" ] || return 0
  mkdir -p "$data"
  chmod 750 "$data"
  give "${owner%:*}" "$data"
}

install_unit() {
  source=$here/floe.service
  [ -e "$source" ] || source=$programs/$version/deploy/systemd/floe.service
  [ -e "$source" ] || fail 'floe.service must lie beside install.sh.'
  mkdir -p "$(dirname -- "$unit")"
  cp "$source" "$unit"
  chmod 644 "$unit"
  enable_or_disable enable
}

start() {
  systemctl daemon-reload
  systemctl restart floe.service
  port=$(sed -n 's/^PORT=\([0-9]*\)$/\1/p' "$settings/floe.env")
  host=$(sed -n 's/^HOST=\(..*\)$/\1/p' "$settings/floe.env")
  url=http://${host:-127.0.0.1}:${port:-3000}
  tries=0
  until "$node" -e "fetch('$url/api/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"; do
    tries=$((tries + 1))
    [ $tries -lt 60 ] || fail 'Floe did not start within a minute: journalctl --unit floe'
    sleep 1
  done
  echo "Floe $version is ready at $url"
}

if [ $uninstalls = yes ]; then
  [ -z "$tarball" ] || fail '--uninstall takes no release.'
  uninstall
  exit 0
fi

find_tarball
check_tarball
check_sum
check_node
unpack
create_user
write_settings
create_data
install_unit
switch
if [ -n "$before" ]; then
  echo "$before stays in $programs/$before. To go back to it, restore the backup that was made before the upgrade."
fi
if [ $runs_systemd = yes ]; then
  start
else
  echo "Floe $version is installed. It starts with the system, or with: systemctl start floe"
fi
