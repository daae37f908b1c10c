import { copyFile, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { gifOfFrames, tiffOfPages } from '../../server/features/previews/test-many.ts'
import { halves, inspect, pngHeader } from '../../server/features/previews/test-pictures.ts'
import { previewedAs } from '../../shared/previewed.ts'
import { call, encode, person, signIn } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { enrol, PASSWORD } from './people.ts'
import { rawRequest } from './raw.ts'
import { makePipe } from './tree.ts'

const server = await openInstance()
await enrol(server, [
  { name: 'looker', may: [] },
  { name: 'ruled', may: ['download'], rules: [{ regex: true, regexp: { raw: 'secret' } }] },
  { name: 'dotless', may: ['download'], hideDotfiles: true },
])
const admin = await person(server)
const { path: folder, disk } = await corner(server)

/** Left half red, right half blue, whatever the format. */
const CORPUS = fileURLToPath(new URL('../corpus/', import.meta.url))
const SIDEWAYS = ['red', 'blue', 'red', 'blue']
const jpeg = await halves(1600, 1200).withMetadata({ orientation: 6 }).jpeg().toBuffer()
const png = await halves(1600, 400).png().toBuffer()
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const frames = [png, await halves(1600, 400).negate().png().toBuffer()]
const gif = await sharp(frames, { join: { animated: true } })
  .gif()
  .toBuffer()
const webp = await sharp(frames, { join: { animated: true } })
  .webp()
  .toBuffer()

const FILES: Record<string, string | Buffer> = {
  'photo.jpg': jpeg,
  'plain.png': png,
  'secret.png': png,
  '.dot.png': png,
  'a b é#?.png': png,
  'moving.gif': gif,
  'moving.webp': webp,
  nameless: gif,
  'drawing.svg': SVG,
  'favicon.ico': 'no icon, but sent as it is',
  'text.jpg': 'this is text',
  'half.jpg': jpeg.subarray(0, jpeg.length / 2),
  'drawing.png': SVG,
  'empty.png': '',
  'wide.png': pngHeader(12_000, 10),
  'high.png': pngHeader(10, 12_000),
  'bomb.png': pngHeader(9_999, 9_999),
  'a.txt': 'text',
  'a.pdf': '%PDF-1.4',
  'a.zip': 'PK',
  'song.mp3': 'ID3',
  'song.wav': 'RIFF',
  'photo.tif': await halves(1600, 400).tiff().toBuffer(),
}
for (const [name, content] of Object.entries(FILES)) await writeFile(join(disk, name), content)

/** In 16 bits a channel. */
const deep = (tile: boolean) =>
  sharp({ create: { width: 600, height: 600, channels: 3, background: 'red' } })
    .toColourspace('rgb16')
    .tiff({ tile, compression: 'none' })
    .toBuffer()
const MUCH: [string, string, () => Buffer | Promise<Buffer>][] = [
  ['the first of 10 000 frames', 'frames.gif', () => gifOfFrames(10_000)],
  ['the first of 10 000 pages', 'pages.tif', () => tiffOfPages(10_000)],
  ['deep channels', 'deep.tif', () => deep(false)],
  ['deep channels in tiles', 'tiles.tif', () => deep(true)],
]

const preview = (size: string, name: string, query = '', token = admin.token, headers: Record<string, string> = {}) =>
  call(server, `/api/preview/${size}${encode(`${folder}/${name}`)}${query}`, { token, headers })

describe('a thumbnail', () => {
  test('is a small, square, upright image', async () => {
    const answer = await preview('thumb', 'photo.jpg', '?inline=true')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
    const corners = ['red', 'red', 'blue', 'blue']
    expect(await inspect(answer.bytes)).toEqual({ format: 'jpeg', width: 256, height: 256, corners })
  })

  test('has the content type of its bytes, whatever the name of the file', async () => {
    const answer = await preview('thumb', 'plain.png', '?inline=true&key=1700000000000')
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
    expect(await inspect(answer.bytes)).toEqual({ format: 'jpeg', width: 256, height: 256, corners: SIDEWAYS })
  })

  test('is an attachment unless it is to be displayed', async () => {
    const answer = await preview('thumb', 'plain.png')
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=utf-8''plain.png")
    expect((await preview('thumb', 'plain.png', '?inline=true')).headers.get('content-disposition')).toMatch(/^inline;/)
  })

  test('of an animation is still', async () => {
    for (const name of ['moving.gif', 'moving.webp']) {
      const answer = await preview('thumb', name, '?inline=true')
      expect(answer.headers.get('content-type')).toBe('image/jpeg')
      expect(await inspect(answer.bytes)).toMatchObject({ format: 'jpeg', width: 256, corners: SIDEWAYS })
    }
  })

  test('of a name with any characters is found', async () => {
    expect((await preview('thumb', 'a b é#?.png')).status).toBe(200)
  })

  test('is private, runs nothing, and is revalidated each time', async () => {
    const { headers } = await preview('thumb', 'plain.png', '?inline=true')
    expect(headers.get('cache-control')).toMatch(/^private/)
    expect(headers.get('content-security-policy')).toMatch(/(^|; )sandbox($|;)/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('a large preview', () => {
  test('fits into a window, in the format of the image', async () => {
    const answer = await preview('big', 'plain.png', '?inline=true')
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(await inspect(answer.bytes)).toEqual({ format: 'png', width: 1080, height: 270, corners: SIDEWAYS })
  })

  test('of a photo is upright', async () => {
    const answer = await preview('big', 'photo.jpg', '?inline=true')
    expect(await inspect(answer.bytes)).toMatchObject({ format: 'jpeg', width: 810, height: 1080 })
  })

  test('of a format unknown to browsers is in one they know', async () => {
    const answer = await preview('big', 'photo.tif', '?inline=true')
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(await inspect(answer.bytes)).toMatchObject({ format: 'webp', width: 1080 })
  })

  test('is available without its content', async () => {
    const target = `${server.base}/api/preview/big${folder}/plain.png`
    const head = await rawRequest(server, { method: 'HEAD', target, headers: { 'X-Auth': admin.token } })
    const whole = await preview('big', 'plain.png')
    expect([head.status, head.headers['content-length']]).toEqual([200, String(whole.bytes.length)])
  })
})

const made = (await readdir(CORPUS, { withFileTypes: true })).filter(entry => entry.isFile())

test.each(made.map(({ name }) => name))('a file of a real program has a preview: %s', async name => {
  await copyFile(join(CORPUS, name), join(disk, `made-${name}`))
  const isVideo = previewedAs(name) === 'video'
  for (const size of ['thumb', 'big']) {
    const answer = await preview(size, `made-${name}`, '?inline=true')
    if (isVideo && !(await showsVideos())) {
      expect(answer.status).toBe(501)
    } else if (name === 'plain.mp3') {
      expect(answer.status).toBe(422)
    } else {
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch(/^image\//)
      expect((await inspectAny(answer.bytes)).corners).toEqual(SIDEWAYS)
    }
  }
})

const DRAWINGS = { operation: ['VipsForeignLoadSvg'] }

/** Includes an SVG: tests of the decoder, which refuses it, may have run in this process before. */
async function inspectAny(bytes: Buffer) {
  sharp.unblock(DRAWINGS)
  try {
    return await inspect(bytes)
  } finally {
    sharp.block(DRAWINGS)
  }
}

/** Whether this host has a program that extracts frames of videos. */
async function showsVideos(): Promise<boolean> {
  const config = /id="app-config">(.*?)<\/script>/s.exec((await call(server, '/')).text)?.[1] ?? '{}'
  return JSON.parse(config).VideoThumbs
}

describe('an image that is not resized', () => {
  test.each([
    ['big', 'moving.gif', 'image/gif'],
    ['big', 'moving.webp', 'image/webp'],
    ['thumb', 'drawing.svg', 'image/svg+xml'],
    ['big', 'favicon.ico', 'image/x-icon'],
    ['thumb', 'nameless', 'image/gif'],
  ])('is sent unchanged: %s of %s', async (size, name, type) => {
    const answer = await preview(size, name, '?inline=true')
    expect(answer.status).toBe(200)
    expect(answer.bytes.equals(Buffer.from(FILES[name] ?? ''))).toBe(true)
    expect(answer.headers.get('content-type')).toMatch(type === 'image/x-icon' ? /icon/ : type)
    expect(answer.headers.get('content-security-policy')).toMatch(/(^|; )sandbox($|;)/)
  })
})

describe('a cached preview', () => {
  test.each(['thumb', 'big'])('is not sent again: %s', async size => {
    const first = await preview(size, 'plain.png')
    const etag = first.headers.get('etag') ?? ''
    const modified = first.headers.get('last-modified') ?? ''
    expect((await preview(size, 'plain.png', '', admin.token, { 'If-None-Match': etag })).status).toBe(304)
    expect((await preview(size, 'plain.png', '', admin.token, { 'If-Modified-Since': modified })).status).toBe(304)
    expect((await preview(size, 'plain.png', '', admin.token, { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  test('has the time of the image', async () => {
    await writeFile(join(disk, 'old.png'), png)
    await utimes(join(disk, 'old.png'), 1e9, 1e9)
    expect((await preview('thumb', 'old.png')).headers.get('last-modified')).toBe('Sun, 09 Sep 2001 01:46:40 GMT')
  })

  test('has a version for each size', async () => {
    const versions = [
      await preview('thumb', 'plain.png'),
      await preview('big', 'plain.png'),
      await admin.raw(`${folder}/plain.png`),
    ]
    expect(new Set(versions.map(({ headers }) => headers.get('etag'))).size).toBe(3)
  })

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=10-', 10, undefined],
    ['bytes=-5', -5, undefined],
  ])('is sent in ranges: %s', async (range, from, to) => {
    const whole = await preview('thumb', 'plain.png')
    const part = await preview('thumb', 'plain.png', '', admin.token, { Range: range })
    expect(part.status).toBe(206)
    expect(part.bytes.equals(whole.bytes.subarray(from, to))).toBe(true)
  })

  test.each(MUCH)('IMG-03 %s has a preview within the time limit', async (_what, name, make) => {
    await writeFile(join(disk, name), await make())
    const answer = await preview('thumb', name, '?inline=true')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(new Set((await inspect(answer.bytes)).corners)).toEqual(new Set(['red']))
  })

  test('IMG-06 changes when the image was replaced, twice within a second', async () => {
    const seen: string[] = []
    for (const background of ['red', 'blue', 'green']) {
      const flat = sharp({ create: { width: 300, height: 300, channels: 3, background } })
      await admin.put(`${folder}/changing.png`, Buffer.from(await flat.png().toBuffer()), '?override=true')
      seen.push((await inspect((await preview('thumb', 'changing.png')).bytes)).corners[0] ?? '')
    }
    expect(seen).toEqual(['red', 'blue', 'green'])
  })
})

test('of a PDF that needs a password there is nothing to show, and no error', async () => {
  await copyFile(join(CORPUS, 'documents/handbook-locked.pdf'), join(disk, 'locked.pdf'))
  for (const size of ['thumb', 'big', 'thumb']) {
    const answer = await preview(size, 'locked.pdf', '?inline=true')
    expect([answer.status, answer.bytes.length]).toEqual([204, 0])
  }
})

describe('refused', () => {
  test.each(['text.jpg', 'half.jpg', 'drawing.png', 'empty.png', 'a.pdf', 'song.mp3'])(
    'IMG-08 is %s, which no decoder accepts',
    async name => {
      for (const size of ['thumb', 'big', 'thumb']) {
        const answer = await preview(size, name, '?inline=true')
        expect(answer.status).toBe(422)
        expect(answer.text).toMatch(/^422 Unprocessable/)
        expect(answer.headers.get('x-error-code')).toBe('undecodable')
        expect(answer.headers.get('content-disposition')).toBeNull()
      }
    },
  )

  test.each(['wide.png', 'high.png', 'bomb.png'])('IMG-01 is %s, which declares too many pixels', async name => {
    const answer = await preview('thumb', name)
    expect(answer.status).toBe(413)
    expect(answer.text).toBe('413 Request Entity Too Large\n')
  })

  test.each(['a.txt', 'a.zip', 'song.wav', ''])('is "%s", which has no previews', async name => {
    for (const size of ['thumb', 'big']) {
      const answer = await preview(size, name)
      expect(answer.status).toBe(501)
      expect(answer.text).toBe('501 Not Implemented\n')
    }
  })

  test.each(['huge', 'Thumb', '<b>'])('is the size %s', async size => {
    const answer = await preview(encodeURIComponent(size), 'plain.png')
    expect(answer.status).toBe(400)
    expect(answer.text).toBe(`400 Bad Request (${size} is not a valid PreviewSize)\n`)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })

  test.each(['missing.png', 'none/plain.png', 'plain.png/below.png'])('is %s, which does not exist', async name => {
    expect((await preview('thumb', name)).status).toBe(404)
  })

  test('is a size without a path', async () => {
    expect((await call(server, '/api/preview/thumb', { token: admin.token })).status).toBe(404)
  })

  test('is a pipe with the name of an image', async () => {
    makePipe(join(disk, 'pipe.png'))
    expect((await preview('thumb', 'pipe.png')).status).toBe(403)
  })

  test('is a user without the download permission', async () => {
    const token = await signIn(server, 'looker', PASSWORD)
    for (const name of ['plain.png', 'moving.gif', 'missing.png']) {
      const answer = await preview('thumb', name, '', token)
      expect([answer.status, answer.text]).toEqual([403, '403 Forbidden\n'])
    }
  })

  test('IMG-07 is what a rule denies, existing or not, even when its preview was made for others', async () => {
    const token = await signIn(server, 'ruled', PASSWORD)
    await symlink('secret.png', join(disk, 'link.png'))
    expect((await preview('thumb', 'secret.png')).status).toBe(200)
    expect((await preview('thumb', 'plain.png', '', token)).status).toBe(200)
    for (const name of ['secret.png', 'secret2.png', 'link.png']) {
      expect((await preview('thumb', name, '', token)).status).toBe(403)
    }
  })

  test('is a hidden file for a user who hides hidden files', async () => {
    expect((await preview('thumb', '.dot.png', '', await signIn(server, 'dotless', PASSWORD))).status).toBe(403)
  })

  test('is a client that is not signed in', async () => {
    for (const path of ['thumb/plain.png', 'big/plain.png', 'huge/plain.png']) {
      expect((await call(server, `/api/preview/${path}`)).status).toBe(401)
    }
  })
})

test('a token in the URL opens a preview, for older clients', async () => {
  const answer = await call(server, `/api/preview/thumb${folder}/plain.png?inline=true&auth=${admin.token}`)
  expect(answer.status).toBe(200)
})
