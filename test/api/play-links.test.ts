import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { send } from './accounts.ts'
import { call, json, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { enrol, PASSWORD } from './people.ts'

const server = await openInstance()
await enrol(server, [
  { name: 'listener', may: ['download'] },
  { name: 'lister', may: [] },
])
const listener = await person(server, 'listener', PASSWORD)
const { path, disk } = await corner(server)
await copyFile('test/corpus/song.mp3', join(disk, 'song.mp3'))
await writeFile(join(disk, 'note.txt'), 'a text')

const ask = (token: string | undefined, body: unknown) => send(server, 'POST', '/api/play-links', token, body)

test('an address for players is given for media alone, to users who may download, 100 times an hour', async () => {
  expect((await ask(undefined, { path: `${path}/song.mp3` })).status).toBe(401)
  expect((await ask(listener.token, { path: 7 })).status).toBe(400)
  expect((await ask(listener.token, { path: `${path}/none.mp3` })).status).toBe(404)
  expect((await ask(listener.token, { path: `${path}/note.txt` })).status).toBe(415)
  const lister = await person(server, 'lister', PASSWORD)
  expect((await ask(lister.token, { path: `${path}/song.mp3` })).status).toBe(403)
  const { url } = json(await ask(listener.token, { path: `${path}/song.mp3` }))
  const place = url.slice(server.url.length)
  const etag = (await call(server, place)).headers.get('etag') ?? ''
  const answers = await Promise.all([
    call(server, place),
    call(server, place, { headers: { Range: 'bytes=0-2' } }),
    call(server, place, { headers: { Range: 'bytes=9999999-' } }),
    call(server, place, { headers: { 'If-None-Match': etag } }),
    call(server, place.replace('song', 'other')),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 206, 416, 304, 401])
  let status = 200
  for (let count = 0; count < 101 && status === 200; count += 1) {
    status = (await ask(listener.token, { path })).status
  }
  expect(status).toBe(429)
})
