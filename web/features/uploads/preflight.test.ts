// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import { type FilePath, parsePath } from '../../../shared/path.ts'
import { jobsFor, listDestinations } from './preflight.ts'

function entry(name: string, isDir = false): ResourceItem {
  const rest = { path: `/${name}`, extension: '', mode: 0, isSymlink: false, type: '' as const }
  return { name, isDir, size: 7, modified: '2024-01-02T03:04:05Z', ...rest }
}
const known = (folders: Record<string, ResourceItem[]>) => (path: FilePath) => {
  const items = folders[path]
  return items && { items }
}
const file = new File(['x'], 'x')
const chosen = (...paths: string[]) => ({ items: paths.map(path => ({ path, file })), unreadable: [] })

test('a file whose name exists starts as a conflict with the existing version', () => {
  const [job] = jobsFor(parsePath('/a'), chosen('x.txt'), known({ '/a': [entry('x.txt')] }))
  expect(job).toMatchObject({ path: '/a/x.txt', existing: { size: 7, modified: Date.parse('2024-01-02T03:04:05Z') } })
})

test('only the full path counts: a folder of the same name is no conflict for its files', () => {
  const folders = { '/': [entry('trip', true), entry('b.jpg')] }
  const jobs = jobsFor(parsePath('/'), chosen('trip/a.jpg', 'trip/b.jpg'), known(folders))
  expect(jobs.map(job => job.existing)).toEqual([undefined, undefined])
})

test("a file in a subfolder is compared with that folder's listing where it is cached", () => {
  const folders = { '/': [entry('trip', true)], '/trip': [entry('b.jpg')] }
  const jobs = jobsFor(parsePath('/'), chosen('trip/a.jpg', 'trip/b.jpg'), known(folders))
  expect(jobs.map(job => job.existing !== undefined)).toEqual([false, true])
})

test('an existing folder is recognised', () => {
  const items = [{ path: 'trip', file: undefined }]
  const [job] = jobsFor(parsePath('/'), { items, unreadable: [] }, known({ '/': [entry('trip', true)] }))
  expect(job?.existing).toMatchObject({ isDir: true })
})

test('a folder with the name of a file is not an existing folder', () => {
  const items = [{ path: 'trip', file: undefined }]
  const [job] = jobsFor(parsePath('/'), { items, unreadable: [] }, known({ '/': [entry('trip')] }))
  expect(job?.existing).toBeUndefined()
})

test('an unreadable file becomes a failed job with its reason', () => {
  const unreadable = [{ path: 'a/b', reason: 'unreadable' as const }]
  const [job] = jobsFor(parsePath('/x'), { items: [], unreadable }, known({}))
  expect(job).toMatchObject({ path: '/x/a/b', failure: { reason: 'unreadable' } })
})

test('every existing folder is listed in advance, and no missing one', async () => {
  const folders = { '/': [entry('trip', true)], '/trip': [entry('day', true)] }
  const asked: string[] = []
  const folder = (path: string) => ({ path, file: undefined })
  const items = [folder('trip'), folder('trip/day'), folder('trip/new'), { path: 'trip/day/a', file }]
  await listDestinations(parsePath('/'), { items, unreadable: [] }, known(folders), async path => void asked.push(path))
  expect(asked).toEqual(['/', '/trip', '/trip/day'])
})
