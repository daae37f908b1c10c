import { beforeEach, describe, expect, it, vi } from 'vitest'
import { parsePath } from '../../../../../shared/path.ts'
import { forgetFolder, recentFolders, rememberFolder } from './recent.ts'

const folders = ['/a', '/b', '/c', '/d', '/e', '/f'].map(parsePath)

describe('recent destinations', () => {
  beforeEach(() => {
    const kept = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    })
    return () => vi.unstubAllGlobals()
  })

  it('are the last five, latest first', () => {
    for (const folder of folders) rememberFolder(folder)
    expect(recentFolders()).toEqual(folders.slice(1).toReversed())
  })

  it('name a folder once, and omit one that is gone', () => {
    for (const folder of ['/a', '/b', '/a'].map(parsePath)) rememberFolder(folder)
    expect(recentFolders()).toEqual(['/a', '/b'])
    forgetFolder(parsePath('/a'))
    expect(recentFolders()).toEqual(['/b'])
  })
})
