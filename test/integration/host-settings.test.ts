import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { HOST_ONLY_SETTINGS } from '../../server/config/host-only-settings.ts'
import { INTERFACE_SETTINGS } from '../../server/config/interface-settings.ts'
import { openDb } from '../../server/db/open.ts'
import { changeServerSettings } from '../../server/features/settings/settings.store.ts'
import type { HostSetting } from '../../shared/api/diagnostics.ts'
import { send } from '../api/accounts.ts'
import { call, json, signIn } from '../api/client.ts'
import { launch, makeHome, type StartOptions, startServer } from '../api/harness.ts'

/** A server that can be restarted, with an administrator's calls. */
async function openHost() {
  const home = await makeHome()
  const start = async (options: StartOptions = {}) => {
    const server = await startServer({ home, ...options })
    onTestFinished(() => server.stop())
    const token = await signIn(server)
    const path = (name: string) => `/api/doctor/settings/${encodeURIComponent(name)}`
    return {
      server,
      put: async (name: string, text: unknown) => (await send(server, 'PUT', path(name), token, { text })).status,
      takeBack: async (name: string) => (await send(server, 'DELETE', path(name), token)).status,
      async reported(name: string) {
        const settings: HostSetting[] = json(await call(server, '/api/doctor/settings', { token }))
        return settings.find(setting => setting.name === name)
      },
      noted: async () => {
        const { rows } = json(await call(server, '/api/audit?action=settings.change', { token }))
        return rows.map((row: { target: string; outcome: string }) => `${row.target} ${row.outcome}`)
      },
    }
  }
  return { home, start }
}

/** Values of settings that take neither a number nor one of some words. */
const VALUES: Readonly<Record<string, string>> = {
  historyRows: '5000',
  keepLeast: '3h',
  scrubHours: '22-04',
  scrubRate: '4096',
  trashSkip: '/backups',
}

describe('a setting of the host that an administrator changes', () => {
  test('applies from the next start, until it is reset', async () => {
    const { start } = await openHost()
    const first = await start()
    expect(await first.put('imageProcessors', '2')).toBe(200)
    expect(await first.reported('imageProcessors')).toMatchObject({
      text: '4',
      from: 'default',
      kept: '2',
      default: '4',
    })
    expect(await first.noted()).toEqual(['imageProcessors=2 done'])
    await first.server.end()
    const second = await start()
    expect(await second.reported('imageProcessors')).toMatchObject({ text: '2', from: 'database', kept: '2' })
    expect(await second.takeBack('imageProcessors')).toBe(200)
    expect(await second.noted()).toEqual(['imageProcessors done', 'imageProcessors=2 done'])
    await second.server.end()
    const third = await start()
    expect(await third.reported('imageProcessors')).toEqual({
      name: 'imageProcessors',
      text: '4',
      from: 'default',
      default: '4',
    })
  })

  test('is overridden by a file, that by a variable, that by a flag; all of them lock it', async () => {
    const { home, start } = await openHost()
    const first = await start()
    expect(await first.put('nameIndex', 'off')).toBe(200)
    await first.server.end()
    const file = join(home, 'settings.json')
    await writeFile(file, '{"nameIndex": "always"}')
    const config = ['--config', file]
    const env = { FILIGREE_NAME_INDEX: 'scheduled' }
    const starts: [StartOptions, Partial<HostSetting>][] = [
      [{}, { text: 'off', from: 'database' }],
      [{ args: config }, { text: 'always', from: 'file', where: file }],
      [
        { args: config, env },
        { text: 'scheduled', from: 'variable', where: 'FILIGREE_NAME_INDEX' },
      ],
      [
        { args: [...config, '--nameIndex', 'auto'], env },
        { text: 'auto', from: 'flag' },
      ],
    ]
    for (const [options, expected] of starts) {
      const again = await start(options)
      expect(await again.reported('nameIndex')).toMatchObject({ ...expected, kept: 'off' })
      if (expected.from !== 'database') {
        expect(await again.put('nameIndex', 'always')).toBe(403)
        expect(await again.takeBack('nameIndex')).toBe(403)
      }
      await again.server.end()
    }
  })

  test('must be an open one, with a valid value', async () => {
    const { start } = await openHost()
    const { put, takeBack, reported, noted } = await start()
    for (const name of Object.keys(HOST_ONLY_SETTINGS)) {
      expect([name, await put(name, 'true'), await takeBack(name)]).toEqual([name, 403, 403])
    }
    for (const name of ['nothing', '__proto__', 'toString']) expect(await put(name, 'true')).toBe(404)
    const nonsense: [string, unknown][] = [
      ['imageProcessors', '0'],
      ['imageProcessors', ''],
      ['imageProcessors', 4],
      ['nameIndexEvery', '1ms'],
      ['logLevel', 'loud'],
      ['disableThumbnails', 'yes'],
      ['extractBytes', '-1'],
    ]
    for (const [name, text] of nonsense) expect([name, await put(name, text)]).toEqual([name, 400])
    for (const [name] of nonsense) expect(await reported(name)).not.toHaveProperty('kept')
    const rows = await noted()
    expect(rows).toContain('root forbidden')
    expect(rows.filter((row: string) => row.endsWith(' done'))).toEqual([])
  })

  test('is stored and applied for each open setting', async () => {
    const { start } = await openHost()
    const first = await start()
    for (const name of Object.keys(INTERFACE_SETTINGS)) {
      const { words } = (await first.reported(name)) ?? {}
      const text = words?.at(-1) ?? VALUES[name] ?? (name.endsWith('Time') || name.endsWith('Every') ? '3h' : '7')
      const isLocked = name === 'passwordCost'
      expect([name, await first.put(name, text)]).toEqual([name, isLocked ? 403 : 200])
      if (!isLocked) expect(await first.reported(name)).toMatchObject({ kept: text })
    }
    await first.server.end()
    const second = await start()
    for (const name of Object.keys(INTERFACE_SETTINGS)) {
      const { from, text, kept } = (await second.reported(name)) ?? {}
      if (name !== 'passwordCost') expect([name, from, text]).toEqual([name, 'database', kept])
    }
  })
})

test('stored settings cannot prevent a start, nor change settings that only the host may change', async () => {
  const { home, start } = await openHost()
  const first = await start()
  const { database } = first.server
  await first.server.end()
  const { db } = await openDb(database, join(home, 'cache'))
  const kept = { imageProcessors: 'many', disableExec: 'false', root: '/', trustedProxies: '0.0.0.0' }
  await changeServerSettings(db, server => ({ ...server, kept }))
  await db.destroy()
  const second = await start()
  expect(second.server.output()).toContain('What the database keeps for imageProcessors is left out')
  expect(await second.reported('imageProcessors')).toMatchObject({ text: '4', from: 'default', kept: 'many' })
  expect(await second.reported('disableExec')).toMatchObject({ text: 'true', from: 'default' })
  expect(await second.reported('trustedProxies')).toMatchObject({ text: '', from: 'default' })
})

test('each open setting has a text in the interface, and no other does', async () => {
  const keys = Object.keys(JSON.parse(await readFile(new URL('../../web/locales/en.json', import.meta.url), 'utf8')))
  const described = keys.flatMap(key => /^\w+\.about\.(\w+)$/.exec(key)?.[1] ?? [])
  expect(described.toSorted()).toEqual(Object.keys(INTERFACE_SETTINGS).toSorted())
})

test('config check lists which secrets are set, and none of their values', async () => {
  const env = { FILIGREE_S3_SECRET_KEY: 'hush-key', FILIGREE_S3_SESSION_TOKEN: 'hush-token' }
  const run = launch(['config', 'check', '--database', join(await makeHome(), 'f.db')], { env })
  expect(await run.ended).toBe(0)
  expect(run.output()).toContain('s3SecretKey: (set), by the variable FILIGREE_S3_SECRET_KEY')
  expect(run.output()).not.toContain('hush')
})
