import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import type { StorageDriver } from '../storage/driver.ts'
import { openLocal } from '../storage/local.ts'
import { BrandingFolder } from './branding.ts'

const root = await mkdtemp(join(tmpdir(), 'branding-'))
afterAll(() => rm(root, { recursive: true, force: true }))
await mkdir(join(root, 'img'))
await writeFile(join(root, 'img/logo.svg'), '<svg/>')
await writeFile(join(root, 'img/other.svg'), '<svg/>')

const open = (folder: string) => openLocal({ root: folder, stagingKey: Buffer.alloc(64) })

test('only the known file names have a version, which is that of the file', async () => {
  const branding = new BrandingFolder(open)
  const versions = await branding.versions(root)
  expect([...versions.keys()]).toEqual(['img/logo.svg'])
  const file = await branding.open(root, 'img/logo.svg')
  expect(file?.entry.version).toBe(versions.get('img/logo.svg'))
  expect(file && String(await buffer(file.stream()))).toBe('<svg/>')
  await file?.close()
})

test('an empty name is no folder, not the server’s working directory', async () => {
  const branding = new BrandingFolder(() => Promise.reject(new Error('opened')))
  expect(await branding.open('', 'custom.css')).toBeUndefined()
  expect(await branding.versions('')).toEqual(new Map())
})

test('a hanging disk does not block pages', async () => {
  const branding = new BrandingFolder(() => new Promise<StorageDriver>(() => {}), 1)
  expect(await branding.versions(root)).toEqual(new Map())
})

test('an error other than AppError is thrown', async () => {
  const branding = new BrandingFolder(() => Promise.reject(new Error('a mistake')))
  await expect(branding.open(root, 'custom.css')).rejects.toThrow('a mistake')
})
