import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { boltOf } from '../../server/cli/import-filebrowser/test-bolt.ts'
import { call, json, person, signIn } from '../api/client.ts'
import { type Console, serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()

const GOOD = 'violet harbour 41'

async function fresh(...flags: string[]): Promise<Console> {
  const shell = await openConsole()
  await shell.ok('config', 'init', ...flags)
  return shell
}

async function exported(shell: Console) {
  await shell.ok('config', 'export', 'out.json')
  return JSON.parse(await readFile(join(shell.home, 'out.json'), 'utf8'))
}

describe('modes of new files and folders', () => {
  /** Modes of a file and a folder that the server creates with a database made on the console. */
  async function madeWith(prepare: (shell: Console, own: string) => Promise<unknown>, args: string[] = []) {
    const server = await serveOnce({
      args,
      prepare: async ({ home, database }) => {
        await prepare(await openConsole(home), database)
      },
    })
    const { put } = await person(server)
    expect((await put('/made/file.txt', 'x')).status).toBe(200)
    const modes = ['made/file.txt', 'made'].map(async path => (await stat(join(server.root, path))).mode & 0o777)
    return Promise.all(modes)
  }
  const document = (more: object) => JSON.stringify({ settings: more, server: {} })
  const imports = (more: object) => async (shell: Console, own: string) => {
    await writeFile(join(shell.home, 'in.json'), document(more))
    await shell.ok('config', 'import', 'in.json', '-d', own)
  }

  test('are those of config init', async () => {
    const init = (shell: Console, own: string) =>
      shell.ok('config', 'init', '--fileMode', '0600', '--dir-mode=700', '-d', own)
    expect(await madeWith(init)).toEqual([0o600, 0o700])
  })

  test('are those of an imported document', async () => {
    expect(await madeWith(imports({ fileMode: 0o600, dirMode: 0o700 }))).toEqual([0o600, 0o700])
  })

  test('are those of an imported File Browser', async () => {
    const adopts = async (shell: Console, own: string) => {
      const config = { '"settings"': { fileMode: 0o600, dirMode: 0o700 }, '"server"': {}, '"auther"': {} }
      await writeFile(join(shell.home, 'filebrowser.db'), boltOf({ User: {}, Link: {}, config }))
      await shell.ok('adopt', 'filebrowser.db', '--root', join(shell.home, 'srv'), '-d', own)
    }
    expect(await madeWith(adopts)).toEqual([0o600, 0o700])
  })

  test('are the default ones where a document has none', async () => {
    expect(await madeWith(imports({ fileMode: 0 }))).toEqual([0o640, 0o750])
  })

  test('are those of the start’s flags, whatever was set', async () => {
    expect(await madeWith(imports({ fileMode: 0o600 }), ['--fileMode', '0660'])).toEqual([0o660, 0o750])
  })

  test('survive config export, and config import reports invalid ones', async () => {
    const shell = await fresh('--fileMode', '0600')
    expect((await exported(shell)).settings).toMatchObject({ fileMode: 0o600, dirMode: 0 })
    await shell.ok('config', 'set', '--fileMode', '')
    expect((await exported(shell)).settings).toMatchObject({ fileMode: 0, dirMode: 0 })
    await writeFile(join(shell.home, 'bad.json'), document({ fileMode: '0600' }))
    expect(await shell.refused('config', 'import', 'bad.json')).toContain('settings.fileMode')
  })
})

describe('the view of new users', () => {
  const view = async (shell: Console) => (await exported(shell)).settings.defaults.viewMode

  test('is the list after config init, unless it sets another one', async () => {
    expect(await view(await fresh())).toBe('list')
    expect(await view(await fresh('--viewMode', 'mosaic gallery'))).toBe('mosaic gallery')
  })

  test('stays after a copy or move after config init, and changes to the destination after a first start', async () => {
    expect((await exported(await fresh())).settings.defaults).toMatchObject({ redirectAfterCopyMove: false })
    const server = await serveOnce()
    const settings = await call(server, '/api/settings', { token: await signIn(server) })
    expect(json(settings).defaults).toMatchObject({ redirectAfterCopyMove: true })
  })

  test('applies to users added on the console', async () => {
    const shell = await fresh()
    await shell.ok('users', 'add', 'alice', GOOD)
    await shell.ok('users', 'export', 'users.json')
    expect(JSON.parse(await readFile(join(shell.home, 'users.json'), 'utf8'))).toMatchObject([{ viewMode: 'list' }])
  })

  test('is the mosaic where the first start created the database', async () => {
    const server = await serveOnce()
    const settings = await call(server, '/api/settings', { token: await signIn(server) })
    expect(json(settings).defaults).toMatchObject({ viewMode: 'mosaic' })
  })
})
