// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { takeDrop } from './drop.ts'
import { fromFiles, walkDrop } from './walk.ts'

/** The part of the browser's entry API that exists only inside a real drop. */
function fileEntry(name: string, fails = false): FileSystemEntry {
  const file = (resolve: (file: File) => void, reject: (error: Error) => void) =>
    fails ? reject(new Error('NotReadableError')) : resolve(new File(['x'], name))
  return { name, isFile: true, isDirectory: false, file } as unknown as FileSystemEntry
}

function folderEntry(name: string, children: FileSystemEntry[], batch = 2): FileSystemEntry {
  const createReader = () => {
    let at = 0
    return {
      readEntries(resolve: (entries: FileSystemEntry[]) => void) {
        const part = children.slice(at, at + batch)
        at += batch
        resolve(part)
      },
    }
  }
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry
}

const paths = (items: { path: string }[]) => items.map(item => item.path).toSorted()

test('a dropped folder includes everything below it, in any number of batches', async () => {
  const many = Array.from({ length: 7 }, (_, index) => fileEntry(`f${index}`))
  const { items } = await walkDrop({ entries: [folderEntry('a', [folderEntry('b', many)])], files: [] })
  expect(paths(items)).toEqual(['a', 'a/b', ...many.map(entry => `a/b/${entry.name}`)])
})

test('empty folders are kept', async () => {
  const { items } = await walkDrop({ entries: [folderEntry('empty', [])], files: [] })
  expect(items).toEqual([{ path: 'empty', file: undefined }])
})

test('an unreadable file is reported and the others are included', async () => {
  const { items, unreadable } = await walkDrop({
    entries: [folderEntry('a', [fileEntry('bad', true), fileEntry('good')])],
    files: [],
  })
  expect(paths(items)).toEqual(['a', 'a/good'])
  expect(unreadable).toEqual([{ path: 'a/bad', reason: 'unreadable' }])
})

test('a name that no file system allows is reported', async () => {
  const { unreadable } = await walkDrop({ entries: [fileEntry('x'.repeat(300))], files: [] })
  expect(unreadable[0]?.reason).toBe('bad-name')
})

test('all items of a drop are included, with or without entries', () => {
  const plain = new File(['x'], 'plain.txt')
  const transfer = {
    items: [
      { kind: 'file', webkitGetAsEntry: () => fileEntry('entry.txt') },
      { kind: 'string' },
      { kind: 'file', getAsFile: () => plain },
    ],
  } as unknown as DataTransfer
  const { entries, files } = takeDrop(transfer)
  expect(entries.map(entry => entry.name)).toEqual(['entry.txt'])
  expect(files).toEqual([plain])
})

test('a folder chooser yields the parent folders of its files once each', () => {
  const chosen = (path: string) => {
    const file = new File(['x'], path.split('/').at(-1) ?? '')
    Object.defineProperty(file, 'webkitRelativePath', { value: path })
    return file
  }
  const { items } = fromFiles([chosen('trip/day 1/a.jpg'), chosen('trip/day 1/b.jpg')])
  expect(paths(items)).toEqual(['trip', 'trip/day 1', 'trip/day 1/a.jpg', 'trip/day 1/b.jpg'])
})

test('files chosen individually keep their bare names', () => {
  expect(fromFiles([new File(['x'], 'a#b?.txt')]).items.map(item => item.path)).toEqual(['a#b?.txt'])
})
