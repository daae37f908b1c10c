import { copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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
const BASE = 'localhost/filigree-base'
const NODE = 'localhost/filigree-node'
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
 * Builds an edition. The images that the Dockerfile begins with are those of `NODE_IMAGE` and `BASE_IMAGE`; without these
 * they are made here, by debootstrap and with the project's own Node, so that no registry takes part.
 */
export async function buildImage(target, tag) {
  const { NODE_IMAGE = await ensureNodeImage(), BASE_IMAGE = await ensureBaseImage() } = process.env
  const images = ['--build-arg', `NODE_IMAGE=${NODE_IMAGE}`, '--build-arg', `BASE_IMAGE=${BASE_IMAGE}`]
  const how = ['--isolation', 'chroot', '--format', 'docker', '--layers', '--quiet']
  say(`Building the edition ${target}…`)
  await containers('buildah', 'build', ...how, ...images, '--target', target, '--tag', tag, inRepo())
}

async function ensureBaseImage() {
  if (await exists(BASE)) return BASE
  if (findProgram('debootstrap') === undefined)
    fail('This needs debootstrap, or images named by NODE_IMAGE and BASE_IMAGE.')
  say('Making a Debian to build on…')
  const folder = join(FOLDER, 'debian')
  rmSync(folder, { recursive: true, force: true })
  await debianIn(folder)
  for (const path of [...LEFT_OUT, 'var/lib/apt/lists', 'var/cache/apt'])
    rmSync(join(folder, path), { recursive: true, force: true })
  // As in Debian's own images: nothing of a download is left in a layer.
  writeFileSync(
    join(folder, 'etc/apt/apt.conf.d/docker-clean'),
    'Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";\n',
  )
  await commit('scratch', BASE, async container => containers('buildah', 'add', '--quiet', container, folder, '/'))
  rmSync(folder, { recursive: true, force: true })
  return BASE
}

/** A Debian with the project's Node, the npm of this machine, and the certificates that its network needs. */
async function ensureNodeImage() {
  if (await exists(NODE)) return NODE
  await commit(await ensureBaseImage(), NODE, async container => {
    const folder = await containers('buildah', 'mount', container)
    const npm = dirname(dirname(realpathSync(findProgram('npm'))))
    copyFileSync(PROJECT_NODE, join(folder, 'usr/local/bin/node'))
    cpSync(npm, join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true })
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'))
    if (existsSync(CERTIFICATES)) {
      mkdirSync(join(folder, dirname(CERTIFICATES)), { recursive: true })
      copyFileSync(CERTIFICATES, join(folder, CERTIFICATES))
      const variables = ['NODE_EXTRA_CA_CERTS', 'npm_config_cafile'].flatMap(name => [
        '--env',
        `${name}=${CERTIFICATES}`,
      ])
      await containers('buildah', 'config', ...variables, container)
    }
    const install = ['sh', '-c', 'apt-get update && apt-get install -y --no-install-recommends libatomic1']
    await containers('buildah', 'run', '--isolation', 'chroot', container, '--', ...install)
  })
  return NODE
}

/** Makes a minimal Debian in a folder. Takes minutes, needs root and a network. */
export async function debianIn(folder, options = []) {
  mkdirSync(folder, { recursive: true })
  await demand('debootstrap', ['--variant=minbase', ...options, RELEASE, folder, MIRROR])
}

const exists = async image => (await attempt('buildah', 'inspect', '--type', 'image', image)).code === 0

async function commit(from, image, fill) {
  const container = await containers('buildah', 'from', '--quiet', '--pull-never', from)
  await fill(container)
  await containers('buildah', 'commit', '--quiet', '--rm', container, image)
}
