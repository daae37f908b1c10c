import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram, inRepo, PROJECT_NODE } from './repo.mjs'
import { demand, fail, run, say } from './run.mjs'

const MIRROR = 'http://deb.debian.org/debian'
const RELEASE = 'bookworm'
/** Outside of the clone, which is what the build copies. */
const FOLDER = '/var/tmp/filigree-image'
/** Limits above those of this machine would be refused where it is a container, too. */
const LIMITS = join(FOLDER, 'containers.conf')
const STORAGE = ['--root', join(FOLDER, 'storage'), '--runroot', join(FOLDER, 'run')]
/** Debian's names of processors, with Node's. */
export const PROCESSORS = { amd64: 'x64', arm64: 'arm64' }
const EMULATORS = { amd64: 'x86_64', arm64: 'aarch64' }
const OWN_PROCESSOR = Object.keys(PROCESSORS).find(name => PROCESSORS[name] === process.arch)
/** What Debian's own slim images leave out. */
const LEFT_OUT = ['doc', 'man', 'info', 'locale', 'lintian'].map(name => `usr/share/${name}`)
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

/** Runs buildah or podman on a storage of its own, and ends with its output when it fails. @returns what it wrote */
export async function containers(program, ...args) {
  const { code, output } = await attempt(program, ...args)
  if (code !== 0) fail(output.trimEnd(), '', `${program} ${args[0]} failed; its own output is above.`)
  return output.trim()
}

export function attempt(program, ...args) {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(LIMITS, '[containers]\ndefault_ulimits = []\n')
  return run(program, [...STORAGE, ...globals(program), ...args], { quiet: true, env: environment() })
}

/** The arguments and the environment for Podman, for a command that is not waited for. */
export const podman = (...args) => ({ args: [...STORAGE, ...globals('podman'), ...args], env: environment() })

const environment = () => ({ ...process.env, CONTAINERS_CONF: LIMITS })

/** Nothing here needs systemd. */
const globals = program => (program === 'podman' ? ['--cgroup-manager', 'cgroupfs', '--runtime', 'runc'] : [])

/**
 * Builds an edition for a processor, where needed under QEMU. The images that the Dockerfile begins with are those of
 * `NODE_IMAGE` and `BASE_IMAGE`; without these they are made here, by debootstrap and with the project's own version of
 * Node, so that no registry takes part.
 */
export async function buildImage(target, tag, processor = OWN_PROCESSOR) {
  if (isEmulated(processor) && !existsSync(`/proc/sys/fs/binfmt_misc/qemu-${EMULATORS[processor]}`))
    fail(`This needs QEMU for programs of ${processor}: apt-get install qemu-user-static binfmt-support`)
  const { NODE_IMAGE = await ensureNodeImage(processor), BASE_IMAGE = await ensureBaseImage(processor) } = process.env
  const images = ['--build-arg', `NODE_IMAGE=${NODE_IMAGE}`, '--build-arg', `BASE_IMAGE=${BASE_IMAGE}`]
  const how = ['--arch', processor, '--isolation', 'chroot', '--format', 'docker', '--layers', '--quiet']
  say(`Building the edition ${target} for ${processor}…`)
  await containers('buildah', 'build', ...how, ...images, '--target', target, '--tag', tag, inRepo())
}

const isEmulated = processor => processor !== OWN_PROCESSOR

async function ensureBaseImage(processor) {
  const image = `localhost/filigree-base-${processor}`
  if (await exists(image)) return image
  if (findProgram('debootstrap') === undefined)
    fail('This needs debootstrap, or images named by NODE_IMAGE and BASE_IMAGE.')
  say('Making a Debian to build on…')
  const folder = join(FOLDER, 'debian')
  rmSync(folder, { recursive: true, force: true })
  await debianIn(folder, [`--arch=${processor}`])
  for (const path of [...LEFT_OUT, 'var/lib/apt/lists', 'var/cache/apt'])
    rmSync(join(folder, path), { recursive: true, force: true })
  // As in Debian's own images: nothing of a download is left in a layer.
  writeFileSync(
    join(folder, 'etc/apt/apt.conf.d/docker-clean'),
    'Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";\n',
  )
  const fill = async container => containers('buildah', 'add', '--quiet', container, folder, '/')
  await commit('scratch', image, { processor, fill })
  rmSync(folder, { recursive: true, force: true })
  return image
}

/** A Debian with the project's Node, the npm of this machine, and the certificates that its network needs. */
async function ensureNodeImage(processor) {
  const image = `localhost/filigree-node-${processor}`
  if (await exists(image)) return image
  await commit(await ensureBaseImage(processor), image, { processor, fill: addNode })

  async function addNode(container) {
    const folder = await containers('buildah', 'mount', container)
    const npm = dirname(dirname(realpathSync(findProgram('npm'))))
    copyFileSync(await nodeFor(processor), join(folder, 'usr/local/bin/node'))
    cpSync(npm, join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true })
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'))
    if (existsSync(CERTIFICATES)) await addCertificates(container, folder)
    const install = ['sh', '-c', 'apt-get update && apt-get install -y --no-install-recommends libatomic1']
    await containers('buildah', 'run', '--isolation', 'chroot', container, '--', ...install)
  }
  return image
}

async function addCertificates(container, folder) {
  mkdirSync(join(folder, dirname(CERTIFICATES)), { recursive: true })
  copyFileSync(CERTIFICATES, join(folder, CERTIFICATES))
  const variables = ['NODE_EXTRA_CA_CERTS', 'npm_config_cafile'].flatMap(name => ['--env', `${name}=${CERTIFICATES}`])
  await containers('buildah', 'config', ...variables, container)
}

/** The project's Node for a processor: that of this machine is installed, another is fetched from npm. */
async function nodeFor(processor) {
  if (!isEmulated(processor)) return PROJECT_NODE
  const { version } = JSON.parse(readFileSync(inRepo('node_modules/node/package.json'), 'utf8'))
  const name = `node-linux-${PROCESSORS[processor]}`
  const folder = join(FOLDER, name)
  mkdirSync(folder, { recursive: true })
  await demand('npm', ['pack', `${name}@${version}`, '--pack-destination', folder, '--loglevel=error'])
  await demand('tar', ['-xzf', join(folder, `${name}-${version}.tgz`), '-C', folder])
  return join(folder, 'package/bin/node')
}

/** Makes a minimal Debian in a folder. Takes minutes, needs root and a network. */
export async function debianIn(folder, options = []) {
  mkdirSync(folder, { recursive: true })
  await demand('debootstrap', ['--variant=minbase', ...options, RELEASE, folder, MIRROR])
}

const exists = async image => (await attempt('buildah', 'inspect', '--type', 'image', image)).code === 0

async function commit(from, image, { processor, fill }) {
  const container = await containers('buildah', 'from', '--arch', processor, '--quiet', '--pull-never', from)
  await fill(container)
  await containers('buildah', 'commit', '--quiet', '--rm', container, image)
}
