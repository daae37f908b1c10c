import { expect, test } from 'vitest'
import { TreeCounter } from './tree-size.ts'

const ENTRIES = [
  { path: '/a', name: 'a', size: 4096, modified: '2026-01-01T00:00:00Z', isDir: true },
  { path: '/a/1', name: '1', size: 12_345, modified: '2026-01-01T00:00:00Z', isDir: false },
  { path: '/a/x', name: '","size":99,"isDir":true,"', size: 7, modified: '2026-01-01T00:00:00Z', isDir: false },
]

test('the totals are right however the response is split into chunks', () => {
  const text = JSON.stringify(ENTRIES)
  const lines = `${ENTRIES.map(entry => JSON.stringify(entry)).join('\n')}\n{"unread":12}\n`
  for (let length = 1; length <= text.length; length += 1) {
    const counter = new TreeCounter()
    for (let at = 0; at < text.length; at += length) counter.take(text.slice(at, at + length))
    expect(counter.size).toEqual({ bytes: 12_352, files: 2, folders: 1 })
    const ofLines = new TreeCounter()
    for (let at = 0; at < lines.length; at += length) ofLines.take(lines.slice(at, at + length))
    expect(ofLines.size).toEqual({ bytes: 12_352, files: 2, folders: 1, unread: 12 })
  }
})
