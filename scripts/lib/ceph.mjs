import { cpSync, existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from './repo.mjs'
import { run, say } from './run.mjs'

/** Folder of Ceph's programs, with the libraries they were built with: the system's own packages stay as they are. */
export const CEPH_HOME = process.env.FILIGREE_TEST_CEPH ?? join(homedir(), '.cache', 'filigree-ceph')
/** Releases of Debian whose Ceph is new enough, the newest first. */
const SUITES = ['forky', 'trixie']
const WANTED = ['radosgw', 'ceph-mon', 'ceph-osd']
/** Their required dependencies: programs and libraries, not cluster management. */
const NEEDED = /^(lib(?!python|perl).*|ceph-(mon|osd|base|common)|radosgw)$/
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
const MIRROR = 'http://deb.debian.org/debian'

export const hasCeph = () => existsSync(join(CEPH_HOME, 'bin', 'radosgw'))

/** Whether tests can read a bucket as a folder. */
const canMount = () => findProgram('s3fs') !== undefined && existsSync('/dev/fuse')

/** A line about tests that are skipped without an object store, or without read access to its buckets. */
export function untriedBuckets() {
  if (!hasCeph() && process.env.FILIGREE_TEST_S3 === undefined) return ['skipped: files in a bucket, for want of Ceph']
  return canMount() ? [] : ['skipped: the wire and the journeys on a bucket, for want of s3fs and /dev/fuse']
}

/** Downloads Ceph's Debian packages, which apt verifies, where there is apt; nothing is installed. */
export async function ensureCeph() {
  if (hasCeph() || findProgram('apt-get') === undefined) return
  say('Fetching Ceph, for the tests of files in a bucket…')
  for (const suite of SUITES) {
    const part = `${CEPH_HOME}.part`
    rmSync(part, { recursive: true, force: true })
    if (await fetchSuite(suite, part)) {
      rmSync(CEPH_HOME, { recursive: true, force: true })
      renameSync(part, CEPH_HOME)
      return
    }
    rmSync(part, { recursive: true, force: true })
  }
}

/** @returns {Promise<boolean>} whether everything was downloaded */
async function fetchSuite(suite, home) {
  for (const folder of ['lists/partial', 'cache/archives/partial', 'parts', 'debs', 'root', 'bin', 'lib']) {
    mkdirSync(join(home, folder), { recursive: true })
  }
  writeFileSync(join(home, 'status'), '')
  const source = `Types: deb\nURIs: ${MIRROR}\nSuites: ${suite}\nComponents: main\nSigned-By: ${KEYRING}\n`
  writeFileSync(join(home, 'parts', 'suite.sources'), source)
  const own = [
    `Dir::State=${home}`,
    `Dir::State::status=${home}/status`,
    `Dir::State::lists=${home}/lists`,
    `Dir::Cache=${home}/cache`,
    'Dir::Etc::sourcelist=/dev/null',
    `Dir::Etc::sourceparts=${home}/parts`,
    'Dir::Etc::preferences=/dev/null',
    'Acquire::Languages=none',
    'APT::Sandbox::User=root',
  ].flatMap(option => ['-o', option])
  const apt = (...args) => run('apt-get', ['-q', ...own, ...args], { quiet: true })
  if ((await apt('--error-on=any', 'update')).code !== 0) return false
  const plan = await apt('-s', '--no-install-recommends', 'install', ...WANTED)
  const names = Array.from(plan.output.matchAll(/^Inst ([^ :]+)/gm), ([, name]) => name).filter(name =>
    NEEDED.test(name),
  )
  if (plan.code !== 0 || names.length === 0) return false
  const inDebs = ['-c', 'cd "$0" && exec apt-get "$@"', join(home, 'debs')]
  const fetched = await run('sh', [...inDebs, '-q', ...own, 'download', ...names], { quiet: true })
  return fetched.code === 0 && unpack(home)
}

async function unpack(home) {
  for (const deb of globSync(join(home, 'debs', '*.deb'))) {
    if ((await run('dpkg', ['-x', deb, join(home, 'root')], { quiet: true })).code !== 0) return false
  }
  const copy = (from, to) => cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  for (const folder of globSync(join(home, 'root', '{lib,usr/lib}', '*-linux-gnu'))) copy(folder, join(home, 'lib'))
  for (const program of [...WANTED, 'radosgw-admin', 'monmaptool', 'osdmaptool']) {
    copy(join(home, 'root', 'usr', 'bin', program), join(home, 'bin', program))
  }
  for (const name of ['lists', 'cache', 'parts', 'debs', 'root', 'status']) {
    rmSync(join(home, name), { recursive: true, force: true })
  }
  return true
}
