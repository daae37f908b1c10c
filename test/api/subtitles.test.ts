import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { call, encode, json, person, signIn } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { linkTo, viewShare } from './links-client.ts'
import { enrol, PASSWORD } from './people.ts'

const server = await openInstance()
await enrol(server, [
  { name: 'looker', may: [] },
  { name: 'ruled', may: ['download'], rules: [{ regex: true, regexp: { raw: 'film\\.en' } }] },
])
const admin = await person(server)
const { path: folder, disk } = await corner(server)
const SRT = '1\n00:00:01,000 --> 00:00:02,500\nHello<br/>you\n'
const SHOWN = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello\nyou\n'
const ASS = '[Events]\nDialogue: 0,0:00:01.00,0:00:02.50,D,,0,0,0,,{\\b1}Hello\\Nyou\n'

const subtitle = (path: string, query = '', token = admin.token) =>
  call(server, `/api/subtitle${encode(path)}${query}`, { token })

beforeAll(async () => {
  for (const name of ['Subs/film', 'Subs/other', 'extras', 'film-extras']) {
    await mkdir(join(disk, name), { recursive: true })
  }
  const names = ['film.mp4', 'film.en.vtt', 'film.SRT', 'film.txt', 'other.srt', 'lonely.mkv', 'film.d.ass']
  const below = ['Subs/any.srt', 'Subs/film/de.ass', 'Subs/other/fr.ssa', 'extras/film.srt', 'film-extras/film.srt']
  for (const name of [...names, ...below]) await writeFile(join(disk, name), SRT)
  await writeFile(join(disk, 'film.d.ass'), ASS)
  await writeFile(join(disk, 'plain.vtt'), 'WEBVTT - as it was\r\n')
})

describe('a video', () => {
  test('lists the subtitles next to it and in the folder for subtitles', async () => {
    const names: string[] = json(await admin.get(`${folder}/film.mp4`)).subtitles
    const expected = ['Subs/any.srt', 'Subs/film/de.ass', 'film.d.ass', 'film.en.vtt', 'film.SRT']
    expect([...names].sort()).toEqual(expected.map(name => `${folder}/${name}`).sort())
  })

  test('without subtitles has no such field', async () => {
    const other = await corner(server)
    await writeFile(join(other.disk, 'lonely.mkv'), 'x')
    expect(json(await admin.get(`${other.path}/lonely.mkv`))).not.toHaveProperty('subtitles')
    expect(json(await admin.get(`${folder}/film.txt`))).not.toHaveProperty('subtitles')
  })

  test('does not list subtitles that the user may not see', async () => {
    const ruled = await person(server, 'ruled', PASSWORD)
    const names: string[] = json(await ruled.get(`${folder}/film.mp4`)).subtitles
    expect(names).not.toContain(`${folder}/film.en.vtt`)
    expect(names).toContain(`${folder}/film.SRT`)
  })
})

describe('a subtitle file', () => {
  test.each(['film.SRT', 'film.d.ass'])('such as %s is converted to WebVTT', async name => {
    const answer = await subtitle(`${folder}/${name}`)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(SHOWN)
    expect(answer.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
    expect(answer.headers.get('cache-control')).toMatch(/^private/)
    expect(answer.headers.get('content-security-policy')).toMatch(/(^|; )sandbox($|;)/)
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename*=utf-8''${name}`)
  })

  test('that is WebVTT is unchanged', async () => {
    const answer = await subtitle(`${folder}/plain.vtt`, '?inline=true')
    expect(answer.text).toBe('WEBVTT - as it was\r\n')
    expect(answer.headers.get('content-disposition')).toBe("inline; filename*=utf-8''plain.vtt")
  })

  test('of another format, or a folder, is refused', async () => {
    for (const name of ['film.txt', 'film.mp4', 'Subs', 'Subs/']) {
      const answer = await subtitle(`${folder}/${name}`)
      expect(answer.status).toBe(400)
      expect(answer.text).toBe('400 Bad Request (not a subtitle file)\n')
    }
  })

  test('that is missing is not found', async () => {
    expect((await subtitle(`${folder}/missing.srt`)).status).toBe(404)
  })

  test('is limited to five MiB', async () => {
    await writeFile(join(disk, 'large.srt'), Buffer.alloc(5 * 1024 * 1024, ' '))
    await writeFile(join(disk, 'larger.srt'), Buffer.alloc(5 * 1024 * 1024 + 1, ' '))
    expect((await subtitle(`${folder}/large.srt`)).text).toBe('WEBVTT\n')
    const refused = await subtitle(`${folder}/larger.srt`)
    expect(refused.status).toBe(413)
    expect(refused.headers.get('content-disposition')).toBeNull()
  })

  test('requires the download permission', async () => {
    expect((await subtitle(`${folder}/film.SRT`, '', await signIn(server, 'looker', PASSWORD))).status).toBe(403)
    expect((await call(server, `/api/subtitle${folder}/film.SRT`)).status).toBe(401)
  })

  test('that a rule denies is refused, existing or not', async () => {
    const token = await signIn(server, 'ruled', PASSWORD)
    for (const name of ['film.en.vtt', 'film.en.srt']) {
      expect((await subtitle(`${folder}/${name}`, '', token)).status).toBe(403)
    }
  })
})

describe('with a share link', () => {
  const below = (hash: string, path: string) => call(server, `/api/public/subtitle/${hash}${encode(path)}`)

  test('to a folder the subtitles of its videos are available', async () => {
    const { hash } = await linkTo(server, admin.token, `${folder}/`)
    const { subtitles } = json(await viewShare(server, hash, '/film.mp4'))
    expect(subtitles).toContain('/Subs/any.srt')
    expect(subtitles).toContain('/film.en.vtt')
    const answer = await below(hash, '/Subs/any.srt')
    expect([answer.status, answer.text]).toEqual([200, SHOWN])
    expect(answer.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
    expect((await below(hash, '/film.txt')).status).toBe(400)
    expect((await below(hash, '/gone.srt')).status).toBe(404)
  })

  test('to a video alone other files next to it are unavailable', async () => {
    const { hash } = await linkTo(server, admin.token, `${folder}/film.mp4`)
    expect(json(await viewShare(server, hash))).not.toHaveProperty('subtitles')
    expect((await below(hash, '/film.en.vtt')).status).toBe(400)
  })

  test('with a password the password is required', async () => {
    const { hash } = await linkTo(server, admin.token, `${folder}/`, { password: 'open sesame, please' })
    expect((await below(hash, '/film.SRT')).status).toBe(401)
  })
})
