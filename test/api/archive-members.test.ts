import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ArchiveFolder } from '../../shared/api/archives.ts'
import { call, encode, json, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, openInstance } from './instance.ts'
import { enrol, PASSWORD } from './people.ts'

const READER = uniqueName('reader')
const BLIND = uniqueName('blind')
const wire = await openInstance()
await enrol(wire, [
  { name: READER, may: ['download'], rules: [{ regex: true, regexp: { raw: 'hush' } }] },
  { name: BLIND, may: ['create', 'modify'] },
])
const admin = await person(wire)
const reader = await person(wire, READER, PASSWORD)
const blind = await person(wire, BLIND, PASSWORD)
const { path: folder, disk } = await corner(wire)

const fixture = (name: string) => readFile(new URL(`../fixtures/archives/${name}`, import.meta.url))
const NAMES = ['info-zip.zip', 'tree.tar.xz', 'aes.zip', 'seven-aes-names.7z', 'seven-lzma.7z', 'gnu-long.tar']
for (const name of NAMES) await writeFile(join(disk, name), await fixture(name))
await writeFile(join(disk, 'hush.zip'), await fixture('info-zip.zip'))
await writeFile(join(disk, 'broken.zip'), 'no archive')
await writeFile(join(disk, 'some.rar'), Buffer.from('526172211a0701003392b5e50a01', 'hex'))
await writeFile(join(disk, 'half.tar.gz'), gzipSync(await fixture('gnu.tar')).subarray(0, 1500))

const encoded = (place: string) => encodeURIComponent(encode(place))
const list = (name: string, place = '/', token = admin.token) =>
  call(wire, `/api/archives/list${encode(`${folder}/${name}`)}?in=${encoded(place)}`, { token })
const member = (name: string, place: string, more = '', headers: Record<string, string> = {}, token = admin.token) =>
  call(wire, `/api/archives/member${encode(`${folder}/${name}`)}?member=${encoded(place)}${more}`, { token, headers })
const codeOf = ({ status, headers }: { status: number; headers: Headers }) => [status, headers.get('x-error-code')]

describe('the listing of an archive', () => {
  test.each(['info-zip.zip', 'tree.tar.xz'])('%s lists the content of its folders', async name => {
    const top: ArchiveFolder = json(await list(name))
    expect(top).toMatchObject({ path: '/', unnamed: 0, more: false })
    expect(top.items.map(({ name, isDir }) => [name, isDir])).toEqual([
      ['docs', true],
      ['long.txt', false],
    ])
    expect(top.items[1]).toMatchObject({ size: 17_459, modified: '2024-02-29T12:34:56Z', type: 'text' })
    const docs: ArchiveFolder = json(await list(name, '/docs'))
    expect(docs.items.map(({ path }) => path)).toEqual(['/docs/empty', '/docs/naïve.txt'])
    expect(json(await list(name, '/docs/empty')).items).toEqual([])
  })

  test('a truncated archive lists the entries before its end, and that there may be more', async () => {
    expect(json(await list('half.tar.gz'))).toMatchObject({
      more: true,
      items: [{ name: 'docs' }, { name: 'long.txt' }],
    })
  })

  test('encrypted entries are marked as such', async () => {
    expect(json(await list('aes.zip')).items).toMatchObject([{ name: 'long.txt', encrypted: true }])
  })

  test('of 7-Zip is complete, and a file in it is sent', async () => {
    expect(json(await list('seven-lzma.7z')).items).toMatchObject([{ name: 'long.txt', size: 17_459 }])
    const answer = await member('seven-lzma.7z', '/long.txt')
    expect(answer.text).toBe((await member('info-zip.zip', '/long.txt')).text)
  })

  test('refusals give the reason', async () => {
    expect(codeOf(await list('broken.zip'))).toEqual([422, 'undecodable'])
    expect(codeOf(await list('some.rar'))).toEqual([501, 'unsupported'])
    expect(codeOf(await list('seven-aes-names.7z'))).toEqual([422, 'encrypted'])
    expect(codeOf(await list('info-zip.zip', '/nowhere'))).toEqual([404, 'not_found'])
    expect(codeOf(await list('info-zip.zip', '/../..'))).toEqual([400, 'bad_path'])
    expect(codeOf(await list('missing.zip'))).toEqual([404, 'not_found'])
  })

  test('needs the permissions for reading the archive', async () => {
    expect((await list('info-zip.zip', '/', reader.token)).status).toBe(200)
    expect(codeOf(await list('hush.zip', '/', reader.token))).toEqual([403, 'forbidden'])
    expect(codeOf(await list('info-zip.zip', '/', blind.token))).toEqual([403, 'forbidden'])
    expect(codeOf(await member('info-zip.zip', '/long.txt', '', {}, blind.token))).toEqual([403, 'forbidden'])
    expect((await list('info-zip.zip', '/', 'nobody')).status).toBe(401)
    expect((await member('info-zip.zip', '/long.txt', '', {}, 'nobody')).status).toBe(401)
  })
})

describe('a file in an archive', () => {
  test.each(['info-zip.zip', 'tree.tar.xz'])('of %s is sent with its length, and in ranges', async name => {
    const whole = await member(name, '/docs/naïve.txt')
    expect([whole.status, whole.text, whole.headers.get('content-length')]).toEqual([200, 'grüße\n', '8'])
    const part = await member(name, '/docs/naïve.txt', '', { Range: 'bytes=2-4' })
    expect([part.status, part.bytes]).toEqual([206, Buffer.from('grüße\n').subarray(2, 5)])
    const etag = whole.headers.get('etag') ?? ''
    expect((await member(name, '/docs/naïve.txt', '', { 'If-None-Match': etag })).status).toBe(304)
  })

  test('is saved unless it is displayed as text, and runs nothing in a browser', async () => {
    const saved = await member('info-zip.zip', '/long.txt')
    expect(saved.headers.get('content-type')).toBe('application/octet-stream')
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment;/)
    const shown = await member('info-zip.zip', '/long.txt', '&inline=true')
    expect(shown.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    for (const { headers } of [saved, shown]) {
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('refusals give the reason', async () => {
    expect(codeOf(await member('aes.zip', '/long.txt'))).toEqual([422, 'encrypted'])
    expect(codeOf(await member('info-zip.zip', '/docs'))).toEqual([409, 'is_a_folder'])
    expect(codeOf(await member('info-zip.zip', '/nothing'))).toEqual([404, 'not_found'])
    expect(codeOf(await member('gnu-long.tar', '/link'))).toEqual([403, 'special_file'])
  })
})

describe('a link to an archive', () => {
  test('gives access to its list and its files, with the password of the link', async () => {
    const share = async (body: object) =>
      json(
        await call(wire, `/api/share${encode(`${folder}/info-zip.zip`)}`, {
          method: 'POST',
          token: admin.token,
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ).hash as string
    const open = await share({})
    expect(json(await call(wire, `/api/public/archives/list/${open}`)).items).toHaveLength(2)
    const file = await call(wire, `/api/public/archives/member/${open}?member=${encoded('/docs/naïve.txt')}`)
    expect(file.text).toBe('grüße\n')
    expect((await call(wire, '/api/public/archives/list/nolink')).status).toBe(404)
    const locked = await share({ password: 'a long password', expires: '1', unit: 'hours' })
    expect((await call(wire, `/api/public/archives/list/${locked}`)).status).toBe(401)
    expect((await call(wire, `/api/public/archives/member/${locked}?member=%2Flong.txt`)).status).toBe(401)
  })
})
