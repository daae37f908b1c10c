import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { makeHome } from '../api/harness.ts'
import { commandsIn, follow, REPO } from './follow.ts'

const RELEASE = join(REPO, 'dist/release')

/** A folder next to a release, where the program of this clone is not found. */
async function nextToRelease() {
  const home = await makeHome()
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const made = readdirSync(RELEASE).filter(name => name.endsWith('gz'))
  expect(made).toHaveLength(2)
  for (const name of made) await symlink(join(RELEASE, name), join(home, name))
  const node = dirname(process.execPath)
  const bin = join(home, 'global', 'bin')
  // A network may have certificates of its own.
  const { NODE_EXTRA_CA_CERTS = '' } = process.env
  const how = { programs: [bin, node], env: { npm_config_prefix: join(home, 'global'), NODE_EXTRA_CA_CERTS } }
  return async (...starts: string[]) => {
    for (const start of starts) {
      const commands = commandsIn('docs/install.md').find(text => text.startsWith(start)) ?? ''
      expect([commands, await follow(home, commands, how)]).toEqual([commands, 'fine'])
    }
  }
}

test('a release is only unpacked and started', async () => {
  const run = await nextToRelease()
  await run('mkdir', 'tar -xzf', 'filigree/bin/filigree --root')
})

test('a release is installed by npm, and started', async () => {
  const run = await nextToRelease()
  await run('mkdir', 'npm install --global', 'filigree --root')
})

test('both archives of a release have the client for programs, with its types', async () => {
  for (const archive of readdirSync(RELEASE).filter(name => name.endsWith('gz'))) {
    const { stdout } = await promisify(execFile)('tar', ['-tzf', join(RELEASE, archive)])
    const top = archive.endsWith('.tgz') ? 'package' : 'filigree'
    for (const file of ['index.js', 'index.d.ts', 'package.json', 'LICENSE'])
      expect(stdout.split('\n'), archive).toContain(`${top}/client/${file}`)
  }
})
