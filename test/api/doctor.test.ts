import { describe, expect, test } from 'vitest'
import type { Finding, HostSetting } from '../../shared/api/diagnostics.ts'
import { manager, newcomer, send } from './accounts.ts'
import { inBucket, servedAs } from './bucket.ts'
import { call, json } from './client.ts'
import { openCommand } from './command-client.ts'
import { openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await manager(wire)
const ann = await newcomer(wire, admin, {})

const diagnose = async (headers: Record<string, string> = {}): Promise<Finding[]> =>
  json(await call(wire, '/api/doctor', { token: admin.token, headers }))
const codes = async (headers?: Record<string, string>) => (await diagnose(headers)).map(({ code }) => code)

describe('the diagnostics', () => {
  test('are for administrators: folders, database, sandbox, previews, programs', async () => {
    const seen = await codes()
    expect(seen).toContain('databaseSound')
    expect(seen).toContain('heldByHandles')
    expect(seen.filter(code => code.startsWith('kernel'))).toHaveLength(1)
    expect(seen).toContain('picturesMade')
    expect(seen.filter(code => /^folder(?:Free|Full)$/.test(code))).toHaveLength(inBucket ? 1 : 2)
    expect(seen.filter(code => code.startsWith('programs'))).toHaveLength(1)
  })

  test('are not for any other user', async () => {
    expect((await call(wire, '/api/doctor', { token: ann.token })).status).toBe(403)
    expect((await call(wire, '/api/doctor')).status).toBe(401)
  })

  test('report a proxy that is not trusted, with the line to change', async () => {
    expect(await codes()).toContain('cameStraight')
    const untrusted = (await diagnose({ 'X-Forwarded-For': '192.0.2.7' })).find(({ code }) => code === 'cameByStranger')
    expect(untrusted?.what).toContain('127.0.0.1')
    expect(untrusted?.lines).toEqual(['filigree --trustedProxies 127.0.0.1'])
  })

  test('list every setting of the host with its source, but no secret', async () => {
    const settings: HostSetting[] = json(await call(wire, '/api/doctor/settings', { token: admin.token }))
    const named = (wanted: string) => settings.find(({ name }) => name === wanted)
    expect(named('root')).toEqual({ name: 'root', text: await servedAs(wire.root), from: 'flag', host: 'place' })
    expect(named('passwordCost')).toMatchObject({ from: 'variable', where: 'FILIGREE_PASSWORD_COST' })
    expect(named('tokenExpirationTime')).toEqual({
      name: 'tokenExpirationTime',
      text: '2h',
      from: 'default',
      default: '2h',
    })
    expect(named('adminPassword')).toEqual({
      name: 'adminPassword',
      from: 'variable',
      where: 'FILIGREE_ADMIN_PASSWORD',
      host: 'first',
    })
    expect((await call(wire, '/api/doctor/settings', { token: ann.token })).status).toBe(403)
  })

  test('report a proxy that does not send the downloads it should, and test nothing where no proxy is configured', async () => {
    const path = '/api/doctor/files'
    expect(json(await call(wire, path, { token: admin.token }))).toEqual([])
    expect((await call(wire, path, { token: ann.token })).status).toBe(403)
    expect((await call(wire, path)).status).toBe(401)
  })

  test('list the settings that administrators can change for the next start', async () => {
    const at = '/api/doctor/settings/imageProcessors'
    const put = (token: string, text: unknown, path = at) => send(wire, 'PUT', path, token, { text })
    expect((await put(admin.token, '3')).status).toBe(200)
    const [answer] = json(await call(wire, '/api/doctor/settings', { token: admin.token })).filter(
      ({ name }: HostSetting) => name === 'imageProcessors',
    )
    expect(answer).toEqual({ name: 'imageProcessors', text: '4', from: 'default', default: '4', kept: '3' })
    expect((await put(admin.token, 'many')).text).toContain('must be a number from 1 to 128')
    const refused = [
      put(admin.token, '0'),
      put(ann.token, '3'),
      put(admin.token, '/', '/api/doctor/settings/root'),
      put(admin.token, 'least', '/api/doctor/settings/passwordCost'),
      put(admin.token, '3', '/api/doctor/settings/nothing'),
      send(wire, 'DELETE', at, ann.token),
      send(wire, 'DELETE', '/api/doctor/settings/root', admin.token),
      send(wire, 'DELETE', '/api/doctor/settings/nothing', admin.token),
    ]
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([400, 403, 403, 403, 404, 403, 403, 404])
    expect((await send(wire, 'DELETE', at, admin.token)).status).toBe(200)
  })

  test('report a proxy with short timeouts, which slow responses detect', async () => {
    const wait = (query: string, token?: string) =>
      call(wire, `/api/doctor/wait?${query}`, token === undefined ? {} : { token })
    const started = Date.now()
    const [silent, trickling] = await Promise.all(
      ['seconds=2', 'seconds=2&trickle=true'].map(query => wait(query, admin.token)),
    )
    expect([silent?.text, trickling?.text]).toEqual(['..', '..'])
    expect(Date.now() - started).toBeGreaterThanOrEqual(1900)
    for (const seconds of ['', '0', '91', '1.5', 'x']) {
      expect((await wait(`seconds=${seconds}`, admin.token)).status).toBe(400)
    }
    expect((await wait('seconds=1', ann.token)).status).toBe(403)
    expect((await wait('seconds=1')).status).toBe(401)
  })

  test('run for a few clients at once, and only while they wait', async () => {
    const gone = new AbortController()
    const address = `${wire.url}/api/doctor/wait?seconds=60&trickle=true`
    const headers = { 'X-Auth': admin.token }
    const open = () => fetch(address, { headers, signal: gone.signal })
    const answers = await Promise.all([open(), open(), open(), open()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const another = async () => (await call(wire, '/api/doctor/wait?seconds=1', { token: admin.token })).status
    expect(await another()).toBe(429)
    gone.abort()
    await expect.poll(another).toBe(200)
  })

  test('report a missing cookie', async () => {
    expect(await codes()).toContain('cookieLost')
    expect(await codes({ Cookie: `a=b; auth=${admin.token}` })).toContain('cookieSent')
  })

  test('report a proxy without WebSockets, which a WebSocket of their own detects', async () => {
    const way = { api: '/api/doctor/socket', folder: '' }
    expect(await (await openCommand(wire, { ...way, token: admin.token })).closed).toBe(1000)
    await expect(openCommand(wire, { ...way, token: ann.token })).rejects.toMatchObject({ status: 403 })
    await expect(openCommand(wire, way)).rejects.toMatchObject({ status: 401 })
    expect((await call(wire, '/api/doctor/socket', { token: admin.token })).status).toBe(400)
  })
})
