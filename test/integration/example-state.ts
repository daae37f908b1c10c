import { copyFile, mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import { newUser, perm, send } from '../api/accounts.ts'
import { call, json, signIn } from '../api/client.ts'
import { REPO } from '../docs/follow.ts'
import { secretIn } from '../mail/sink.ts'
import { codeOf, own, read, type Step, token } from './example-place.ts'

/** The files that examples name. */
export async function layOut({ root }: { root: string }): Promise<void> {
  const docs = join(root, 'docs')
  await mkdir(join(docs, 'drafts'), { recursive: true })
  await writeFile(join(docs, 'drafts/a.txt'), 'a draft')
  await writeFile(join(docs, 'old.txt'), 'old words')
  await writeFile(join(docs, 'film.srt'), '1\n00:00:01,000 --> 00:00:02,000\nHello\n')
  await writeFile(join(docs, 'SHA256SUMS'), `${'0'.repeat(64)}  old.txt\n`)
  const earlier = join(root, '.shots/home.20261101T0900/docs')
  await mkdir(earlier, { recursive: true })
  await writeFile(join(earlier, 'old.txt'), 'older words')
  await copyFile(join(REPO, 'test/corpus/halves.jpg'), join(docs, 'photo.jpg'))
  await copyFile(join(REPO, 'test/corpus/song.mp3'), join(docs, 'song.mp3'))
  await copyFile(join(REPO, 'test/corpus/documents/letter.odt'), join(docs, 'letter.odt'))
  await copyFile(join(REPO, 'test/fixtures/archives/info-zip.zip'), join(docs, 'papers.zip'))
}

const LOCK =
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'

/** What must exist before an example works. */
export const BEFORE: Readonly<Record<string, Step>> = {
  'POST /api/grants': async place => {
    const recipient = { what: 'user', which: [], data: newUser('recipient') }
    const made = await send(place.wire, 'POST', '/api/users', token(place), { ...recipient, ...own(place) })
    return { PERSON_ID: made.headers.get('location')?.split('/').pop() ?? '' }
  },
  'DELETE /api/grants/received/{id}': async place => {
    const password = 'copper-anvil-drifts-9'
    const data = newUser('giver', { password, scope: '/docs', perm: perm('download', 'share') })
    await send(place.wire, 'POST', '/api/users', token(place), { what: 'user', which: [], data, ...own(place) })
    const body = { path: '/photo.jpg', to: { kind: 'user', id: '1' }, rights: ['download'] }
    const made = await send(place.wire, 'POST', '/api/grants', await signIn(place.wire, 'giver', password), body)
    return { RECEIVED_ID: json(made).id }
  },
  'GET /api/paper/{path}': async place => {
    const convert = () => call(place.wire, '/api/paper/docs/letter.odt', { token: token(place) })
    await vi.waitUntil(async () => (await convert()).status === 200, { timeout: 60_000, interval: 500 })
    return {}
  },
  'PATCH /api/integrity/findings/{id}': async place => {
    const file = join(place.wire.root, 'docs/damaged.txt')
    const old = new Date('2020-01-01T00:00:00Z')
    for (const content of ['as it was', 'otherwise']) {
      await writeFile(file, content)
      await utimes(file, old, old)
      await read(place, '/api/resources/docs/damaged.txt?checksum=sha256')
    }
    return { FINDING_ID: (await read(place, '/api/integrity/findings')).items[0].id }
  },
  'DELETE /api/account/devices/{id}': async place => {
    const { wire, values } = place
    const begun = await send(wire, 'POST', '/api/login', '', { username: 'admin', password: wire.adminPassword })
    const ticket = begun.headers.get('x-login-ticket')
    await send(wire, 'POST', '/api/login/factor', '', { ticket, code: codeOf(values.SECRET, 1), remember: true })
    return { DEVICE_ID: (await read(place, '/api/account/factors')).devices[0].id }
  },
  'DELETE /api/locks/{path}': async place => {
    const made = await send(place.wire, 'POST', '/api/tokens', token(place), {
      label: 'dav',
      scopes: ['read', 'write'],
      ...own(place),
    })
    const Authorization = `Basic ${Buffer.from(`admin:${json(made).token}`).toString('base64')}`
    const answer = await call(place.wire, '/dav/docs/report.txt', {
      method: 'LOCK',
      headers: { Authorization, Depth: '0' },
      body: LOCK,
    })
    if (answer.status !== 200) throw new Error(`no lock: ${answer.status}`)
    const { locks } = await read(place, '/api/locks/docs/report.txt')
    return { LOCK_ID: locks[0].id }
  },
  'GET /api/duplicates/{run}': async place => {
    const items = [{ from: '/docs/' }]
    const { id } = json(
      await send(place.wire, 'POST', '/api/jobs', token(place), { kind: 'duplicates', items, least: 1 }),
    )
    return { RUN_ID: id }
  },
  'GET /api/versions/{path}': async place => {
    const { bytes } = await call(place.wire, '/api/raw/docs/photo.jpg', { token: token(place) })
    const how = { method: 'PUT', token: token(place), body: Buffer.concat([bytes, Buffer.from('.')]) }
    await call(place.wire, '/api/resources/docs/photo.jpg', how)
    return { PICTURE_ID: (await read(place, '/api/versions/docs/photo.jpg')).items[0].id }
  },
  'GET /api/trash': async place => {
    for (const path of ['old.txt', 'drafts/'])
      await call(place.wire, `/api/resources/docs/${path}`, { method: 'DELETE', token: token(place) })
    return {}
  },
  'POST /api/public/tus/{path}': async place => {
    const made = await send(place.wire, 'POST', '/api/share/docs/', token(place), { kind: 'drop' })
    return { REQUEST_ID: json(made).hash }
  },
  'POST /api/public/resources/{path}': async place => {
    const terms = { kind: 'edit', rights: ['create', 'rename', 'modify', 'delete'] }
    const made = await send(place.wire, 'POST', '/api/share/docs/', token(place), terms)
    return { EDIT_ID: json(made).hash }
  },
  'DELETE /api/users/{id}/tokens/{token}': async place => {
    const body = { label: 'other', scopes: ['read'], ...own(place) }
    const made = await send(place.wire, 'POST', '/api/tokens', token(place), body)
    return { OTHER_TOKEN_ID: json(made).id }
  },
  'GET /api/webhooks/{id}/deliveries': async place => {
    await call(place.wire, '/api/resources/docs/new.txt', { method: 'POST', token: token(place), body: 'news' })
    const path = `/api/webhooks/${place.values.WEBHOOK_ID}/deliveries`
    await vi.waitUntil(async () => (await read(place, path)).deliveries.length > 0, 5000)
    return {}
  },
  'POST /api/mail-links/look': async ({ sink }) => {
    const mail = await vi.waitUntil(() => sink.to('admin@example.org')[0], 10_000)
    return { A_LINK: secretIn(mail) }
  },
  'POST /api/account/totp/confirm': ({ values }) => ({ A_CODE: codeOf(values.SECRET) }),
  'DELETE /api/users/{id}/factors': async place => {
    const { wire } = place
    const [user] = (await read(place, '/api/users')).filter(({ username }: { username: string }) => username === 'ann')
    const ann = await signIn(wire, 'ann', 'copper-anvil-drifts-9')
    const body = { current_password: 'copper-anvil-drifts-9' }
    const { secret } = json(await send(wire, 'POST', '/api/account/totp', ann, body))
    await send(wire, 'POST', '/api/account/totp/confirm', ann, { code: codeOf(secret) })
    return { ENROLLED_ID: String(user.id) }
  },
  'POST /api/login/factor': async place => {
    const body = { username: 'admin', password: place.wire.adminPassword }
    const answer = await send(place.wire, 'POST', '/api/login', '', body)
    return { A_TICKET: answer.headers.get('x-login-ticket') ?? '' }
  },
  'DELETE /api/sessions/{id}': async place => {
    await signIn(place.wire)
    const sessions = await read(place, '/api/sessions')
    return { SESSION_ID: sessions.find((session: { current: boolean }) => !session.current).id }
  },
  'POST /api/jobs': () => ({ A_LATER_TIME: new Date(Date.now() + 3_600_000).toISOString() }),
  'POST /api/changes/rewind': () => ({ A_TIME: new Date().toISOString() }),
}

/** What later examples need of a response. */
export const AFTER: Readonly<Record<string, Step>> = {
  'POST /api/login': ({ body }) => ({ $TOKEN: body }),
  'POST /api/renew': ({ body }) => ({ $TOKEN: body }),
  'GET /api/renew': ({ body }) => ({ $TOKEN: body }),
  'POST /api/play-links': ({ body }) => ({ A_TICKET: new URL(JSON.parse(body).url).searchParams.get('ticket') ?? '' }),
  'POST /api/searches': ({ body }) => ({ SEARCH_ID: JSON.parse(body).id }),
  'POST /api/jobs': ({ body }) => ({ JOB_ID: JSON.parse(body).id }),
  'GET /api/stars': ({ body }) => ({ STAR_ID: JSON.parse(body).items[0].id }),
  'POST /api/tags': ({ body }) => ({ TAG_ID: JSON.parse(body).id }),
  'POST /api/comments/{path}': ({ body }) => ({ COMMENT_ID: JSON.parse(body).id }),
  'GET /api/versions/{path}': ({ body }) => ({ VERSION_ID: JSON.parse(body).items[0].id }),
  'GET /api/trash': ({ body }) => {
    const { items } = JSON.parse(body)
    const idOf = (name: string) => items.find((item: { name: string }) => item.name === name).id
    return { DELETED_ID: idOf('old.txt'), FOLDER_ID: idOf('drafts') }
  },
  'GET /api/changes': ({ body }) => ({ CHANGE_ID: JSON.parse(body).items[0].id }),
  'GET /api/snapshots/{path}': ({ body }) => ({ SNAPSHOT_ID: JSON.parse(body).items[0].id }),
  'POST /api/grants': ({ body }) => ({ GRANT_ID: JSON.parse(body).id }),
  'POST /api/share/{path}': ({ body }) => ({ LINK_ID: JSON.parse(body).hash }),
  'POST /api/public/tus/{path}': ({ body }) => ({ UPLOAD_ID: /\/-\/([\w-]+)/.exec(body)?.[1] ?? '' }),
  'GET /api/users': ({ body }) => ({ USER_ID: JSON.parse(body).at(-1).id }),
  'POST /api/groups': ({ body }) => ({ GROUP_ID: JSON.parse(body).id }),
  'POST /api/mounts': ({ body }) => ({ MOUNT_ID: JSON.parse(body).id }),
  'POST /api/tokens': ({ body }) => ({ TOKEN_ID: JSON.parse(body).id, $API_TOKEN: JSON.parse(body).token }),
  'POST /api/webhooks': ({ body }) => ({ WEBHOOK_ID: JSON.parse(body).id }),
  'GET /api/webhooks/{id}/deliveries': ({ body }) => ({ DELIVERY_ID: JSON.parse(body).deliveries[0].id }),
  'POST /api/account/totp': ({ body }) => ({ SECRET: JSON.parse(body).secret }),
  'POST /api/account/totp/confirm': ({ body }) => ({ A_CODE: JSON.parse(body).codes[0] }),
  'POST /api/account/recovery': ({ body }) => ({ A_CODE: JSON.parse(body).codes[0] }),
  'POST /api/login/factor': ({ body }) => ({ $TOKEN: body }),
}
