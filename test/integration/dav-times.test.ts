import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { uniqueName } from '../api/harness.ts'
import { account, openDav } from './dav-place.ts'

const place = await openDav()
const { dav, root } = place
const WHEN = Date.UTC(2019, 4, 6, 7, 8, 9)
const MICROSOFT = 'xmlns="urn:schemas-microsoft-com:"'

let top: string
let disk: string
beforeEach(async () => {
  top = `/${uniqueName('t')}`
  disk = join(root, top)
  await mkdir(disk)
  await writeFile(join(disk, 'a.txt'), 'content')
})

const setting = (properties: string) =>
  `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop>${properties}</D:prop></D:set></D:propertyupdate>`
const patch = async (path: string, properties: string, more = {}) => {
  const { status, body } = await dav('PROPPATCH', top + path, { body: setting(properties), ...more })
  return [status, ...[...body.toString().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code))]
}
const timeOf = async (path: string) => (await stat(disk + path)).mtimeMs

test.each([
  ['getlastmodified', '<D:getlastmodified>Mon, 06 May 2019 07:08:09 GMT</D:getlastmodified>'],
  ['lastmodified of rclone', `<D:lastmodified>${WHEN / 1000}</D:lastmodified>`],
  [
    'Win32LastModifiedTime of Explorer',
    `<Win32LastModifiedTime ${MICROSOFT}>Mon, 06 May 2019 07:08:09 GMT</Win32LastModifiedTime>`,
  ],
])('PROPPATCH of %s sets the time of a file and of a folder, which PROPFIND then has', async (_name, property) => {
  for (const path of ['/a.txt', '']) {
    expect(await patch(path, property)).toEqual([207, 200])
    expect(await timeOf(path)).toBe(WHEN)
    const { body } = await dav('PROPFIND', top + path, { headers: { Depth: '0' } })
    expect(body.toString()).toContain('<D:getlastmodified>Mon, 06 May 2019 07:08:09 GMT</D:getlastmodified>')
  }
  expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('content')
})

test('PROPPATCH of a malformed time is 409, and nothing else is set', async () => {
  const before = await timeOf('/a.txt')
  for (const text of ['yesterday', '', '2019-05-06T07:08:09Z', 'Mon, 99 May 2019 07:08:09 GMT'])
    for (const property of [
      `<D:getlastmodified>${text}</D:getlastmodified>`,
      `<Win32LastModifiedTime ${MICROSOFT}>${text}</Win32LastModifiedTime>`,
      `<D:lastmodified>1e400 ${text}</D:lastmodified>`,
    ])
      expect(await patch('/a.txt', `${property}<own xmlns="urn:x">value</own>`)).toEqual([207, 409, 424])
  expect(await timeOf('/a.txt')).toBe(before)
  const { body } = await dav('PROPFIND', `${top}/a.txt`, { headers: { Depth: '0' } })
  expect(body.toString()).not.toContain('urn:x')
})

test('a time is not set together with what the server owns, nor removed', async () => {
  const before = await timeOf('/a.txt')
  const time = '<D:getlastmodified>Mon, 06 May 2019 07:08:09 GMT</D:getlastmodified>'
  expect(await patch('/a.txt', `${time}<D:getetag>x</D:getetag>`)).toEqual([207, 403, 424])
  const remove = setting('<D:getlastmodified/>').replaceAll('D:set', 'D:remove')
  expect((await dav('PROPPATCH', `${top}/a.txt`, { body: remove })).body.toString()).toContain('403 Forbidden')
  expect(await timeOf('/a.txt')).toBe(before)
})

test('a time needs the right to modify, and the token of a lock', async () => {
  const before = await timeOf('/a.txt')
  const time = `<D:lastmodified>${WHEN / 1000}</D:lastmodified>`
  const NONE = { create: true, rename: true, modify: false, delete: true, share: true, download: true }
  const { user } = await account(place, { perm: NONE })
  expect(await patch('/a.txt', time, { user })).toEqual([403])
  const lockinfo =
    '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'
  const { headers } = await dav('LOCK', `${top}/a.txt`, { body: lockinfo })
  expect(await patch('/a.txt', time)).toEqual([423])
  expect(await timeOf('/a.txt')).toBe(before)
  expect(await patch('/a.txt', time, { headers: { If: `(${headers['lock-token']})` } })).toEqual([207, 200])
  expect(await timeOf('/a.txt')).toBe(WHEN)
})
