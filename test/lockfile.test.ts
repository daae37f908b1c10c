import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const repo = fileURLToPath(new URL('..', import.meta.url))
type Packages = Record<string, { integrity?: string; resolved?: string }>

/** The output of the check after a change to the lockfile. */
async function checked(change: (packages: Packages) => void): Promise<string> {
  const lock: { packages: Packages } = JSON.parse(await readFile(join(repo, 'package-lock.json'), 'utf8'))
  change(lock.packages)
  const file = join(tmpdir(), `filigree-lockfile-${process.pid}.json`)
  await writeFile(file, JSON.stringify(lock))
  const args = [join(repo, 'scripts', 'complete-lockfile.mjs'), '--check', file]
  const said = await new Promise<string>(resolve => execFile(process.execPath, args, (_e, _out, err) => resolve(err)))
  await rm(file)
  return said
}

test('the lockfile has every package for every platform with its checksum, and names no registry', async () => {
  expect(await checked(() => {})).toBe('The lockfile is complete.\n')
})

test('a package without a checksum is refused', async () => {
  const said = await checked(packages => delete packages['node_modules/fastify']?.integrity)
  expect(said).toContain('node_modules/fastify has no checksum')
})

test('a package that another platform needs is missed', async () => {
  const said = await checked(packages => delete packages['node_modules/@oxlint/binding-darwin-arm64'])
  expect(said).toContain('node_modules/@oxlint/binding-darwin-arm64 is missing')
})

test('the address of a registry is refused', async () => {
  const said = await checked(packages => {
    packages['node_modules/fastify'] = { integrity: 'sha512-', resolved: 'https://registry.example/fastify.tgz' }
  })
  expect(said).toContain('node_modules/fastify names a registry')
})
