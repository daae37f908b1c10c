import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, send } from '../api/accounts.ts'
import { call, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { rawRequest } from '../api/raw.ts'

const ORIGIN = 'https://content.example'
const server = await serve({ base: '/fb', args: ['--contentOrigin', ORIGIN] })
const admin = await manager(server)
await writeFile(join(server.root, 'page.html'), '<script>1</script>')

/** As a browser requests a page, a frame, or a subresource. */
const opened = (dest: string) => ({ 'Sec-Fetch-Dest': dest })
const RAW = '/api/raw/page.html?inline=true'

const at = (target: string, headers: Record<string, string> = {}) =>
  rawRequest(server, { target, headers: { Host: 'content.example', ...headers } })

/** The redirect target of a browser that opens a URL as a page; below the content origin. */
async function sentTo(path: string, token?: string): Promise<string> {
  const { status, headers } = await call(server, path, {
    ...(token === undefined ? {} : { token }),
    headers: opened('document'),
  })
  expect(status).toBe(302)
  const to = headers.get('location') ?? ''
  expect(to.startsWith(`${ORIGIN}/fb/api/`)).toBe(true)
  return to.slice(ORIGIN.length)
}

describe('XSS-01 with a content origin', () => {
  test('stored content is a page there only, and data for the interface here', async () => {
    const target = await sentTo(`${RAW}&auth=${admin.token}`, admin.token)
    expect(target).not.toContain(admin.token)
    const answer = await at(target)
    expect([answer.status, String(answer.body)]).toEqual([200, '<script>1</script>'])
    expect(answer.headers['content-security-policy']).toContain('sandbox')
    expect(answer.headers).not.toHaveProperty('set-cookie')

    for (const dest of ['iframe', 'embed', 'object']) {
      expect((await call(server, RAW, { token: admin.token, headers: opened(dest) })).status).toBe(302)
    }
    expect((await call(server, RAW, { token: admin.token, headers: { Accept: 'text/html,*/*' } })).status).toBe(302)
    for (const dest of ['image', 'video', 'empty']) {
      expect((await call(server, RAW, { token: admin.token, headers: opened(dest) })).status).toBe(200)
    }
    expect((await call(server, RAW, { token: admin.token })).status).toBe(200)
    expect((await call(server, '/api/raw/page.html', { token: admin.token, headers: opened('document') })).status).toBe(
      200,
    )
    expect((await call(server, RAW, { headers: opened('document') })).status).toBe(401)
    const policy = (await call(server, '/login')).headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`frame-src 'self' ${ORIGIN}`)
  })

  test('a ticket opens one URL, as long as its session lasts', async () => {
    const target = await sentTo(RAW, admin.token)
    await writeFile(join(server.root, 'other.html'), 'other')
    expect((await at(target.replace('page.html', 'other.html'))).status).toBe(401)
    expect((await at(target.replace('inline=true', 'inline=false'))).status).toBe(401)
    expect((await at(target.slice(0, -2))).status).toBe(401)
    expect((await at(target.replace('/raw/', '/resources/'))).status).toBe(404)

    const { name, token } = await addUser()
    const theirs = await sentTo(RAW, token)
    expect((await at(theirs)).status).toBe(200)
    expect((await call(server, '/api/logout', { method: 'POST', token })).status).toBe(204)
    expect((await at(theirs)).status).toBe(401)
    expect(await signIn(server, name, GOOD_PASSWORD)).not.toBe('')
  })

  test('sessions are not accepted there, and nothing else is served', async () => {
    for (const headers of [{ 'X-Auth': admin.token }, { Cookie: `auth=${admin.token}` }]) {
      expect((await at(`/fb${RAW}`, headers)).status).toBe(401)
      expect((await at('/fb/api/resources/', headers)).status).toBe(404)
    }
    expect((await at(`/fb${RAW}&auth=${admin.token}`)).status).toBe(401)
    for (const target of ['/fb/', '/fb/login', '/fb/static/index.html', '/fb/health', '/fb/api/openapi.json', '/']) {
      expect((await at(target)).status).toBe(404)
    }
    expect(
      (await rawRequest(server, { method: 'POST', target: '/fb/api/login', headers: { Host: 'content.example' } }))
        .status,
    ).toBe(404)
  })

  test('links work the same way, with the ticket of their password', async () => {
    const link = json(await send(server, 'POST', '/api/share/page.html', admin.token, { password: 'open sesame' }))
    const { token } = json(
      await call(server, `/api/public/share/${link.hash}`, { headers: { 'X-SHARE-PASSWORD': 'open%20sesame' } }),
    )
    const target = await sentTo(`/api/public/dl/${link.hash}?inline=true&token=${token}`)
    expect(String((await at(target)).body)).toBe('<script>1</script>')
    expect((await at(await sentTo(`/api/public/dl/${link.hash}?inline=true`))).status).toBe(401)
    expect((await at(`/fb/api/public/dl/${link.hash}?inline=true&token=${token}`)).status).toBe(401)
  })

  test('a proxy that hides the name of the second origin is reported, without a redirect loop', async () => {
    const target = await sentTo(RAW, admin.token)
    const path = target.slice('/fb'.length)
    expect((await call(server, path, { token: admin.token, headers: opened('document') })).status).toBe(400)
  })
})

test('XSS-08 stored content is no script, worker or style sheet of any page', async () => {
  await writeFile(join(server.root, 'x.js'), 'importScripts()')
  for (const dest of ['script', 'worker', 'sharedworker', 'serviceworker', 'style', 'manifest']) {
    const answer = await call(server, '/api/raw/x.js?inline=true', { token: admin.token, headers: opened(dest) })
    expect([dest, answer.status]).toEqual([dest, 403])
  }
})

async function addUser() {
  const name = 'reader'
  await admin.add(name, { perm: { ...json(await admin.list())[0].perm, admin: false } })
  return { name, token: await signIn(server, name, GOOD_PASSWORD) }
}
