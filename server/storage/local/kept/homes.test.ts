import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parsePath, ROOT } from '../../../../shared/path.ts'
import { hold } from '../handle.ts'
import { homesOf } from './homes.ts'

test('HIST-01 a folder that moves away during a replacement keeps the content above it, and a new folder there keeps as before', async () => {
  const opened = await mkdtemp(join(tmpdir(), 'homes-'))
  onTestFinished(() => rm(opened, { recursive: true }))
  const scope = { base: ROOT, opened, level: 'handles' } as const
  const canonical = parsePath('/x/y/a.txt')
  const homes = async (between = async () => {}) => {
    await mkdir(join(opened, 'x/y'), { recursive: true })
    const folder = await hold(scope.level, join(opened, 'x/y'))
    try {
      await between()
      return (await homesOf(scope, { folder, canonical })).homes
    } finally {
      folder.close()
    }
  }
  expect(await homes(() => rename(join(opened, 'x'), join(opened, 'z')))).toEqual(['/'])
  expect(await homes(() => rename(join(opened, 'x/y'), join(opened, 'w')))).toEqual(['/', '/x'])
  expect(await homes()).toEqual(['/', '/x', '/x/y'])
})
