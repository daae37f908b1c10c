import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram, inRepo, PROJECT_NODE } from './repo.mjs'
import { demand } from './run.mjs'

/** Where the program and its Node are installed; the unit for an unpacked release names another folder. */
const PROGRAM = '/usr/lib/filigree'
const SCRIPTS = ['postinst', 'prerm', 'postrm']
const START = `#!/bin/sh\nexec ${PROGRAM}/node ${PROGRAM}/bin/filigree "$@"\n`
/** What Node is linked with; the account is made by useradd. */
const DEPENDS = 'libc6, libstdc++6, libgcc-s1, libatomic1, passwd'
const RECOMMENDS = 'ffmpeg, bubblewrap'
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' }

/**
 * Makes a Debian package of an unpacked release, with the project's Node in it, since Debian's own is too old.
 * @returns its path; undefined on a system without `dpkg-deb`, or for a processor that Debian has no name for
 */
export async function makeDeb(folder, { version, description }) {
  const architecture = ARCHITECTURES[process.arch]
  if (architecture === undefined || findProgram('dpkg-deb') === undefined) return undefined
  const root = inRepo('dist', 'release', 'deb')
  rmSync(root, { recursive: true, force: true })
  cpSync(folder, join(root, PROGRAM), { recursive: true })
  await copyNode(join(root, PROGRAM, 'node'))
  place(root, '/usr/bin/filigree', START, 0o755)
  place(root, '/usr/lib/systemd/system/filigree.service', unit())
  place(root, '/etc/filigree/environment', readFileSync(inRepo('deploy/deb/environment')))
  place(root, '/usr/share/doc/filigree/copyright', readFileSync(inRepo('LICENSE')))
  place(root, '/DEBIAN/conffiles', '/etc/filigree/environment\n')
  place(root, '/DEBIAN/control', control({ version, description, architecture }))
  for (const name of SCRIPTS) place(root, `/DEBIAN/${name}`, readFileSync(inRepo('deploy/deb', name)), 0o755)
  const path = inRepo('dist', 'release', `filigree_${version}_${architecture}.deb`)
  await demand('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', root, path])
  rmSync(root, { recursive: true })
  return path
}

/** The package's maintainer is named by the variables that Debian's own tools read. */
function control({ version, description, architecture }) {
  const { DEBFULLNAME = 'Filigree', DEBEMAIL = 'root@localhost' } = process.env
  const fields = {
    Package: 'filigree',
    Version: version,
    Architecture: architecture,
    Maintainer: `${DEBFULLNAME} <${DEBEMAIL}>`,
    Section: 'web',
    Priority: 'optional',
    Depends: DEPENDS,
    Recommends: RECOMMENDS,
    Description: description,
  }
  return `${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}\n`
}

function unit() {
  const text = readFileSync(inRepo('deploy/filigree.service'), 'utf8')
  const sections = text.slice(text.indexOf('[Unit]'))
  return sections.replace('/opt/filigree/bin/filigree', '/usr/bin/filigree')
}

/** Without the names for debuggers, which are a quarter of it, where there is a `strip`. */
async function copyNode(path) {
  copyFileSync(PROJECT_NODE, path)
  chmodSync(path, 0o755)
  if (findProgram('strip') !== undefined) await demand('strip', [path])
}

function place(root, path, content, mode = 0o644) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
  chmodSync(join(root, path), mode)
}
