import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { REPO } from './coverage.ts'

interface Package {
  version: string
  resolved?: string
  integrity?: string
  license?: string
  dev?: boolean
  optional?: boolean
  hasInstallScript?: boolean
}

const read = (file: string) => JSON.parse(readFileSync(join(REPO, file), 'utf8'))
const own: { dependencies: Record<string, string>; allowScripts: Record<string, boolean> } = read('package.json')
/** Packages with an install script: that of the runtime installs it (decision 0001). */
const APPROVED = { node: true }
const locked = Object.entries(read('package-lock.json').packages as Record<string, Package>).filter(
  ([path]) => path !== '',
)
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '')

/** Licences that the server's dependencies may have. */
const LICENCES =
  /^(?:MIT|MIT-0|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|LGPL-3\.0(?:-or-later)?)(?: AND (?:MIT|Apache-2\.0|LGPL-3\.0-or-later))*$/

/** Further licences of code built into the interface. */
const SHIPPED = new RegExp(
  `${LICENCES.source}|^OFL-1\\.1$|^\\(MPL-2\\.0 OR Apache-2\\.0\\)$|^\\(MIT OR GPL-3\\.0-or-later\\)$|^\\(MIT AND Zlib\\)$`,
)

test('SUP-01 only approved packages run install scripts', () => {
  const scripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path))
  expect(own.allowScripts).toEqual(APPROVED)
  expect(scripts.filter(name => !own.allowScripts[name])).toEqual([])
})

test('SUP-02 every locked package has a checksum, comes from the registry, and at run time has an allowed licence', () => {
  const open = locked.filter(([, { integrity, optional }]) => !optional && !integrity?.startsWith('sha512-'))
  expect(open.map(([path]) => path)).toEqual([])
  const foreign = locked.filter(([, { resolved }]) => resolved !== undefined && !/^https:\/\/.*\.tgz$/.test(resolved))
  expect(foreign.map(([path]) => path)).toEqual([])
  const licences = locked.filter(([, { dev, license = '' }]) => !dev && !LICENCES.test(license))
  expect(licences.map(([path, { license }]) => `${nameOf(path)}: ${license}`)).toEqual([])
})

test('SUP-07 at most forty packages are run-time dependencies, each with an exact version', () => {
  expect(Object.keys(own.dependencies).length).toBeLessThanOrEqual(40)
  expect(Object.values(own.dependencies).filter(version => !/^\d+\.\d+\.\d+/.test(version))).toEqual([])
})

interface Bill {
  components: { name: string; licenses: { expression?: string; license?: { id: string } }[]; hashes: unknown[] }[]
}

test('SUP-02 SUP-05 a build includes a bill of materials and all licences, the same every time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'filigree-bill-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = () => {
    execFileSync(process.execPath, [join(REPO, 'scripts/write-bill.mjs'), folder])
    return readFileSync(join(folder, 'sbom.json'), 'utf8')
  }
  const text = write()
  expect(write()).toBe(text)
  const { components }: Bill = JSON.parse(text)
  const names = components.map(({ name }) => name)
  for (const name of [...Object.keys(own.dependencies), 'react-dom', '@codemirror/view', '@fontsource-variable/onest'])
    expect(names).toContain(name)
  for (const tool of ['vite', 'vitest', 'typescript', '@playwright/test']) expect(names).not.toContain(tool)
  expect(components.filter(({ hashes }) => hashes.length === 0)).toEqual([])
  const licences = components.map(({ name, licenses: [first] }) => [
    name,
    first?.expression ?? first?.license?.id ?? '',
  ])
  expect(licences.filter(([, licence = '']) => !SHIPPED.test(licence))).toEqual([])
  const words = readFileSync(join(folder, 'third-party-licences.txt'), 'utf8')
  expect(names.filter(name => !words.includes(`${name} `))).toEqual([])
  expect(words).toContain('Permission is hereby granted')
})

test('SUP-04 two bundles of the server are identical', () => {
  const folder = mkdtempSync(join(tmpdir(), 'filigree-bundles-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const bundle = (name: string) => {
    execFileSync(process.execPath, [join(REPO, 'scripts/bundle-server.mjs'), join(folder, name)])
    const files = readdirSync(join(folder, name)).sort()
    return files.map(file => [
      file,
      createHash('sha256')
        .update(readFileSync(join(folder, name, file)))
        .digest('hex'),
    ])
  }
  expect(bundle('one')).toEqual(bundle('two'))
})

test('SUP-03 a known vulnerability fails the audit, and an unavailable registry is reported', async () => {
  const flaw = {
    id: 1,
    url: 'https://example.org/GHSA-test',
    title: 'A flaw',
    severity: 'high',
    vulnerable_versions: '*',
  }
  const reported = { known: false }
  const registry = createServer((request, response) => {
    if (!reported.known) return void response.writeHead(405).end()
    const { fastify = '' } = own.dependencies
    const known = request.method === 'POST' ? { fastify: [flaw] } : { name: 'fastify', versions: { [fastify]: {} } }
    return void request.resume().once('end', () => response.end(JSON.stringify(known)))
  })
  await new Promise<void>(resolve => registry.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void registry.close())
  const { port } = registry.address() as AddressInfo
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}`, npm_config_fetch_retries: '0' }
  const audit = () => promisify(execFile)(process.execPath, [join(REPO, 'scripts/audit.mjs')], { env })
  expect((await audit()).stderr).toMatch(/^Known vulnerabilities could not be queried: .*405/m)
  reported.known = true
  await expect(audit()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('fastify: high: A flaw') })
})
