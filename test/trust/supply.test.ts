import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
const locked = Object.entries(read('package-lock.json').packages as Record<string, Package>).filter(
  ([path]) => path !== '',
)
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '')

/** Licences that a server may come with. */
const LICENCES =
  /^(?:MIT|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|LGPL-3\.0(?:-or-later)?)(?: AND (?:MIT|Apache-2\.0|LGPL-3\.0-or-later))*$/

test('SUP-01 nothing runs at installation but what was approved', () => {
  const scripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path))
  expect(scripts.filter(name => !own.allowScripts[name])).toEqual([])
})

test('SUP-02 every locked package has a checksum, comes from the registry, and at run time has a licence we allow', () => {
  const open = locked.filter(([, { integrity, optional }]) => !optional && !integrity?.startsWith('sha512-'))
  expect(open.map(([path]) => path)).toEqual([])
  const foreign = locked.filter(([, { resolved }]) => resolved !== undefined && !/^https:\/\/.*\.tgz$/.test(resolved))
  expect(foreign.map(([path]) => path)).toEqual([])
  const licences = locked.filter(([, { dev, license = '' }]) => !dev && !LICENCES.test(license))
  expect(licences.map(([path, { license }]) => `${nameOf(path)}: ${license}`)).toEqual([])
})

test('SUP-07 at most forty packages are depended on at run time, each with an exact version', () => {
  expect(Object.keys(own.dependencies).length).toBeLessThanOrEqual(40)
  expect(Object.values(own.dependencies).filter(version => !/^\d+\.\d+\.\d+/.test(version))).toEqual([])
})
