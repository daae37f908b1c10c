import { expect, test } from 'vitest'
import type { FolderResource } from '../../../../../shared/api/resources.ts'
import { findFolder, folderTyped } from './typed-path.ts'

const item = (name: string, isDir: boolean) => ({ name, isDir })
const listing = { isDir: true, items: [item('trip', true), item('a.txt', false)] } as unknown as FolderResource

test('a text is a folder and the name of an item in it; after a slash, a folder alone', () => {
  expect(folderTyped('/photos/tr')).toEqual({ parent: '/photos', name: 'tr' })
  expect(folderTyped(' photos/trip/ ')).toEqual({ parent: '/photos/trip', name: undefined })
  expect([folderTyped('/'), folderTyped('')]).toEqual([
    { parent: '/', name: undefined },
    { parent: '/', name: undefined },
  ])
})

test('a text that leads out of the folder, or has an empty name, is no path', () => {
  expect([folderTyped('/a/../b'), folderTyped('/a//b'), folderTyped('//')]).toEqual([undefined, undefined, undefined])
  expect(findFolder('/a/../b', listing, false)).toBe('missing')
})

test('a path is found, missing, or of a file, once the folder it is in has loaded', () => {
  expect(findFolder('/photos/trip', listing, false)).toEqual({ folder: '/photos/trip' })
  expect(findFolder('/photos/', listing, false)).toEqual({ folder: '/photos' })
  expect(findFolder('/photos/tri', listing, false)).toBe('missing')
  expect(findFolder('/photos/a.txt', listing, false)).toBe('file')
  expect(findFolder('/photos/trip', undefined, false)).toBe('loading')
  expect(findFolder('/photos/trip', undefined, true)).toBe('missing')
})
