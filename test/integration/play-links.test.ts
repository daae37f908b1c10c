import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { manager, newcomer, perm, send } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { makeHome } from '../api/harness.ts'
import { serve } from '../api/instance.ts'

const home = await makeHome()
const server = await serve({ home, base: '/fb', args: ['--logLevel', 'debug', '--accessLog', join(home, 'access')] })
const admin = await manager(server)
const ALBUM = join(server.root, 'album')
const FILM = '0123456789'.repeat(1000)
await mkdir(join(ALBUM, 'inner'), { recursive: true })
for (const name of ['10 last.flac', '2 second.mp3', 'film.mkv', 'inner/deep.mp3'])
  await writeFile(join(ALBUM, name), FILM)
await writeFile(join(ALBUM, 'cover.jpg'), 'an image')

const run = promisify(execFile)

/** A request as a player makes it: of the address alone. */
async function play(address: string, ...options: string[]): Promise<{ status: number; text: string }> {
  const { stdout } = await run('curl', ['--silent', '--write-out', '\n%{http_code}', ...options, address])
  const end = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(end + 1)), text: stdout.slice(0, end) }
}

const ask = (token: string | undefined, path: string) => send(server, 'POST', '/api/play-links', token, { path })

/** The addresses of a file or folder. */
async function linkTo(token: string, path: string): Promise<{ url: string; playlist: string; expires: string }> {
  const answer = await ask(token, path)
  expect(answer.status).toBe(200)
  return json(answer)
}

const ticketOf = (url: string): string => new URL(url).searchParams.get('ticket') ?? ''
const addressesIn = (playlist: string): string[] => playlist.split('\n').filter(line => line.startsWith('http'))

describe('a player', () => {
  test('reads a file by its address alone, in ranges', async () => {
    const { url, expires } = await linkTo(admin.token, '/album/film.mkv')
    expect(url.startsWith(`${server.url}/api/play/album/film.mkv?ticket=`)).toBe(true)
    const hours = (Date.parse(expires) - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(12)
    expect(await play(url)).toEqual({ status: 200, text: FILM })
    expect(await play(url, '--range', '9990-')).toEqual({ status: 206, text: '0123456789' })
    expect((await play(url, '--range', '10000-')).status).toBe(416)
    const head = await play(url, '--head')
    expect(head.status).toBe(200)
    expect(head.text).toMatch(/content-type: video\/.*accept-ranges: bytes.*content-length: 10000/is)
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await play(url, '--request', method)).status).toBe(405)
    }
  })

  test('reads a folder as a playlist of its video and audio files, in the order of their numbers', async () => {
    const { url, playlist } = await linkTo(admin.token, '/album/')
    expect(playlist).toBe(url)
    const list = await play(url)
    expect(list.status).toBe(200)
    expect(list.text.split('\n').filter(line => line.startsWith('#'))).toEqual([
      '#EXTM3U',
      '#EXTINF:-1,2 second.mp3',
      '#EXTINF:-1,10 last.flac',
      '#EXTINF:-1,film.mkv',
    ])
    for (const address of addressesIn(list.text)) expect((await play(address)).text).toBe(FILM)
    const { headers } = await call({ url: new URL(url).origin }, url.slice(new URL(url).origin.length))
    expect(headers.get('content-type')).toBe('audio/x-mpegurl; charset=utf-8')
    expect(headers.get('content-disposition')).toContain('album.m3u8')
  })

  test('reads a playlist of one file, whose address ends when that of the playlist does', async () => {
    const { url, playlist } = await linkTo(admin.token, '/album/film.mkv')
    const [address = ''] = addressesIn((await play(playlist)).text)
    expect((await play(address)).text).toBe(FILM)
    const endOf = (text: string) =>
      JSON.parse(Buffer.from(ticketOf(text).split('.')[1] ?? '', 'base64url').toString()).exp
    expect(endOf(address)).toBe(endOf(url))
  })
})

describe('MED-03 a ticket', () => {
  test('opens the file it was issued for, and nothing else', async () => {
    const { url } = await linkTo(admin.token, '/album/film.mkv')
    const { url: folder } = await linkTo(admin.token, '/album')
    const other = url.replace('film.mkv', encodeURIComponent('2 second.mp3'))
    const refused = [
      other,
      `${other}&playlist=true`,
      url.replace('/album/film.mkv', '/album'),
      url.replace('/album/', '/album/../album/inner/../'),
      folder.replace('/album?', '/album/film.mkv?'),
      url.replace(/\?.*/, ''),
      `${url.slice(0, -3)}AAA`,
      url.replace('/play/', '/raw/'),
      url.replace('/play/', '/resources/'),
      url.replace('?ticket=', '?auth='),
    ]
    for (const address of refused) {
      expect.soft((await play(address, '--path-as-is')).status, address.replace(/ticket=.*/, '')).toBeOneOf([400, 401])
    }
    expect((await play(url)).status).toBe(200)
  })

  test('is the only credential: no session opens the address of another user, and no ticket a call', async () => {
    const other = await newcomer(server, admin, { perm: perm('download') })
    const { url } = await linkTo(other.token, '/album/film.mkv')
    const bare = url.replace(/\?.*/, '')
    for (const token of [admin.token, other.token]) {
      expect((await play(bare, '--header', `X-Auth: ${token}`)).status).toBe(401)
      expect((await play(bare, '--cookie', `auth=${token}`)).status).toBe(401)
    }
    expect((await ask(ticketOf(url), '/album/film.mkv')).status).toBe(401)
    const { text } = await play(url, '--header', `X-Auth: ${admin.token}`)
    expect(text).toBe(FILM)
  })

  test('is for files of the user alone: another scope has another file at its path', async () => {
    await mkdir(join(server.root, 'scope/album'), { recursive: true })
    await writeFile(join(server.root, 'scope/album/film.mkv'), 'theirs')
    const user = await newcomer(server, admin, { perm: perm('download'), scope: '/scope' })
    const { url } = await linkTo(user.token, '/album/film.mkv')
    expect((await play(url)).text).toBe('theirs')
  })

  test('ends with the session, at once', async () => {
    const user = await newcomer(server, admin, { perm: perm('download') })
    const { url } = await linkTo(user.token, '/album/film.mkv')
    const { url: folder } = await linkTo(user.token, '/album')
    const [inList = ''] = addressesIn((await play(folder)).text)
    expect((await play(inList)).status).toBe(200)
    expect((await send(server, 'POST', '/api/logout', user.token)).status).toBe(204)
    for (const address of [url, folder, inList]) expect((await play(address)).status).toBe(401)
  })

  test('ends with the account', async () => {
    const user = await newcomer(server, admin, { perm: perm('download') })
    const { url } = await linkTo(user.token, '/album/film.mkv')
    await admin.remove(user.id)
    expect((await play(url)).status).toBe(401)
  })

  test('ends with the right to download, and comes back with it', async () => {
    const user = await newcomer(server, admin, { perm: perm('download') })
    const { url } = await linkTo(user.token, '/album/film.mkv')
    await admin.update(user.id, ['perm'], { perm: perm() })
    expect((await play(url)).status).toBe(403)
    expect((await ask(user.token, '/album/film.mkv')).status).toBe(403)
    await admin.update(user.id, ['perm'], { perm: perm('download') })
    expect((await play(url)).status).toBe(200)
  })

  test('ends with a rule against the file, which leaves the playlists of its folder', async () => {
    const user = await newcomer(server, admin, { perm: perm('download') })
    const { url } = await linkTo(user.token, '/album/film.mkv')
    const { url: folder } = await linkTo(user.token, '/album')
    const rule = { regex: false, allow: false, path: '/album/film.mkv', regexp: null }
    await admin.update(user.id, ['rules'], { rules: [rule] })
    expect((await play(url)).status).toBe(403)
    expect((await play(folder)).text).not.toContain('film.mkv')
    expect((await ask(user.token, '/album/film.mkv')).status).toBe(403)
  })

  test('ends with the API token that it was issued to', async () => {
    const made = await send(server, 'POST', '/api/tokens', admin.token, {
      label: 'player',
      scopes: ['read'],
      current_password: server.adminPassword,
    })
    const { token, id } = json(made)
    const answer = await call(server, '/api/play-links', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ path: '/album/film.mkv' }),
    })
    const { url } = json(answer)
    expect((await play(url)).status).toBe(200)
    expect((await send(server, 'DELETE', `/api/tokens/${id}`, admin.token)).status).toBe(204)
    expect((await play(url)).status).toBe(401)
  })
})

test('other files have no address for players, and 100 an hour is all that a user gets', async () => {
  const user = await newcomer(server, admin, { perm: perm('download') })
  expect((await ask(user.token, '/album/cover.jpg')).status).toBe(415)
  expect((await ask(user.token, '/album/none.mp3')).status).toBe(404)
  for (let count = 0; count < 100; count += 1) await linkTo(user.token, '/album/film.mkv')
  const refused = await ask(user.token, '/album/film.mkv')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
  expect((await ask(admin.token, '/album/film.mkv')).status).toBe(200)
})

test('MED-05 no log, no audit row and no referrer has a ticket', async () => {
  const { url, playlist } = await linkTo(admin.token, '/album/film.mkv')
  const { url: folder } = await linkTo(admin.token, '/album')
  const list = await play(folder)
  const [first = ''] = addressesIn(list.text)
  const asked = [url, playlist, folder, first, url.replace('film.mkv', 'none.mkv'), url.replace('ticket', '%74icket')]
  for (const address of asked) await play(address, '--referer', url)
  const access = async () => (await readFile(join(home, 'access'), 'utf8')).split('\n').filter(Boolean)
  await expect.poll(async () => (await access()).filter(line => line.includes('/api/play/')).length).toBeGreaterThan(6)
  const audit = await call(server, '/api/audit', { token: admin.token })
  expect(json(audit).rows).toContainEqual(
    expect.objectContaining({ action: 'read', way: 'token', username: 'admin', path: '/album/film.mkv', target: '' }),
  )
  const everywhere = [await server.log(), server.output(), ...(await access()), audit.text].join('\n')
  expect(everywhere).toContain('/fb/api/play/album/film.mkv?ticket=…')
  for (const address of asked) {
    const ticket = ticketOf(address) || (address.split('=')[1] ?? '')
    const [, , signature = ''] = ticket.split('.')
    expect(signature).not.toBe('')
    expect(everywhere).not.toContain(signature)
  }
  const { headers } = await call({ url: new URL(url).origin }, url.slice(new URL(url).origin.length))
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})
