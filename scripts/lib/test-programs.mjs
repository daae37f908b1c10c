import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fetchLists, installPackages, isDebian } from './debian.mjs'
import { ensureHelm, hasHelm } from './helm.mjs'
import { findProgram } from './repo.mjs'
import { say } from './run.mjs'

/** Programs that tests run, with their Debian packages, separated by spaces. */
const ARCHIVERS = { unzip: 'unzip', bzip2: 'bzip2', xz: 'xz-utils', lz4: 'lz4', zstd: 'zstd' }
const PROXIES = { nginx: 'nginx', caddy: 'caddy', apache2: 'apache2-bin', haproxy: 'haproxy' }
const TOOLS = {
  strace: 'strace',
  bwrap: 'bubblewrap',
  openssl: 'openssl',
  curl: 'curl',
  rclone: 'rclone',
  restic: 'restic',
  syncthing: 'syncthing',
  aiosmtpd: 'python3-aiosmtpd',
  cadaver: 'cadaver',
  python3: 'python3',
  'lowntfs-3g': 'ntfs-3g',
  'mkfs.btrfs': 'btrfs-progs',
  'mkfs.xfs': 'xfsprogs',
  s3fs: 's3fs',
  gio: 'libglib2.0-bin',
  'trash-list': 'trash-cli',
  jdupes: 'jdupes',
  getfattr: 'attr',
  litmus: 'litmus',
  sshd: 'openssh-server openssh-client',
  smbclient: 'samba smbclient',
  oathtool: 'oathtool',
  promtool: 'prometheus',
  glewlwyd: 'glewlwyd',
  slapd: 'slapd',
  ldapmodify: 'ldap-utils',
  samba: 'samba samba-ad-provision samba-dsdb-modules samba-vfs-modules winbind',
  soffice: 'libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui',
}
const PACKAGES = { ...ARCHIVERS, ...PROXIES, ...TOOLS }

/** Debian installs a server's programs in a folder per version. */
const POSTGRES = '/usr/lib/postgresql'
const MAIN_CLUSTER = '/etc/postgresql-common/createcluster.conf'
export const hasPostgres = () =>
  existsSync(POSTGRES) && readdirSync(POSTGRES).some(version => existsSync(`${POSTGRES}/${version}/bin/initdb`))

/** Installs what is missing, where possible; elsewhere archives are read with Python. */
export async function ensureTestPrograms() {
  await ensureHelm()
  const missing = Object.entries(PACKAGES)
    .filter(([program]) => findProgram(program) === undefined)
    .flatMap(([, names]) => names.split(' '))
  if (!hasPostgres()) missing.push('postgresql-common')
  if (missing.length === 0 || !isDebian()) return
  say('Installing programs that the tests work with…')
  await fetchLists()
  const { code } = await installPackages(...missing)
  // One unavailable package does not prevent the others.
  if (code !== 0) for (const name of missing) await installPackages(name)
  if (!hasPostgres() && existsSync(dirname(MAIN_CLUSTER))) {
    // Tests create clusters of their own; the default one is unused.
    writeFileSync(MAIN_CLUSTER, 'create_main_cluster = false\n')
    await installPackages('postgresql')
  }
}

/** Why commands cannot run in a sandbox; nothing when they can. */
function sandboxLack() {
  if (findProgram('bwrap') === undefined) return 'for want of bubblewrap'
  const { status } = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'])
  return status === 0 ? undefined : 'which this machine does not permit'
}

/** Lines about the reverse proxies that `test/proxies` skips on this machine. */
export function untriedProxies() {
  const missing = Object.keys(PROXIES).filter(program => findProgram(program) === undefined)
  return missing.map(program => `skipped: the recipes for ${program}, which is not installed`)
}

/** Lines about the tests that are skipped on this machine. @param mayMount disks can be mounted */
export function untried(mayMount = process.getuid?.() === 0) {
  const lack = sandboxLack()
  const canLosePower = process.getuid?.() === 0 && ['mkfs.ext4', 'python3'].every(findProgram)
  const canUnpack = Object.keys(ARCHIVERS).every(program => findProgram(program) !== undefined)
  return [
    ...(findProgram('strace') ? [] : ['skipped: faults in system calls, for want of strace']),
    ...(lack ? [`skipped: commands in a sandbox, ${lack}`] : []),
    ...(canUnpack ? [] : ['skipped: large archives, for want of programs that read them']),
    ...(findProgram('nginx') ? [] : ['skipped: a proxy in front, for want of nginx']),
    ...untriedProxies(),
    ...(hasPostgres() ? [] : ['skipped: PostgreSQL and several servers on it, for want of PostgreSQL']),
    ...(canLosePower ? [] : ['skipped: power cuts, which require root, mkfs.ext4 and python3']),
    ...(findProgram('lowntfs-3g') ? [] : ['skipped: a case-insensitive disk, for want of ntfs-3g']),
    ...(['samba', 'samba-tool'].every(findProgram) ? [] : ['skipped: Active Directory, for want of samba']),
    ...(['gio', 'trash-list'].every(findProgram)
      ? []
      : ['skipped: trash cans of desktops, for want of gio and trash-cli']),
    ...(hasHelm() ? [] : ['skipped: the chart for Kubernetes, for want of Helm']),
    ...(mayMount ? [] : ['skipped: full and several disks, which only root can mount']),
    ...(mayMount && ['mount.davfs', 'dbus-run-session'].every(findProgram)
      ? []
      : ['skipped: a server mounted by davfs2 and gvfs, which need root, davfs2, dbus and gvfs']),
  ]
}
