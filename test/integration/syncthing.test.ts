import { spawn, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { commandsIn, follow } from '../docs/follow.ts'

const isInstalled = spawnSync('syncthing', ['--version']).status === 0

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise(resolve => probe.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/** Settings of a Syncthing that reaches nothing but this machine. */
const ALONE = {
  globalAnnounceEnabled: 'false',
  localAnnounceEnabled: 'false',
  relaysEnabled: 'false',
  natEnabled: 'false',
  crashReportingEnabled: 'false',
  startBrowser: 'false',
  urAccepted: '-1',
  reconnectionIntervalS: '1',
}

/** A running Syncthing whose home is a folder. @returns its id, its address, and what runs commands with it */
async function startSyncthing(home: string) {
  const config = join(home, '.config', 'syncthing')
  const env = { ...process.env, HOME: home, STNOUPGRADE: '1' }
  spawnSync('syncthing', ['generate', '--no-default-folder', '--home', config], { env })
  const file = join(config, 'config.xml')
  const [gui, sync] = [await freePort(), await freePort()]
  let settings = (await readFile(file, 'utf8'))
    .replace(/<address>127\.0\.0\.1:\d+<\/address>/, `<address>127.0.0.1:${gui}</address>`)
    .replace('<listenAddress>default<', `<listenAddress>tcp://127.0.0.1:${sync}<`)
  for (const [name, value] of Object.entries(ALONE))
    settings = settings.replace(new RegExp(`<${name}>.*?</${name}>`), `<${name}>${value}</${name}>`)
  await writeFile(file, settings)
  const child = spawn('syncthing', ['serve', '--no-browser', '--home', config], { env, stdio: 'ignore' })
  const ended = new Promise(resolve => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const cli = (...args: string[]) =>
    spawnSync('syncthing', ['cli', '--home', config, ...args], { env, encoding: 'utf8' })
  await expect.poll(() => cli('show', 'version').status).toBe(0)
  const id = spawnSync('syncthing', ['--device-id', '--home', config], { env, encoding: 'utf8' }).stdout.trim()
  return { id, address: `tcp://127.0.0.1:${sync}`, cli }
}

test.runIf(isInstalled)(
  'Syncthing keeps a folder of the server the same as one of another computer, as the recipe says',
  async () => {
    const server = await serve()
    const token = await signIn(server)
    const far = await mkdtemp(join(tmpdir(), 'syncthing-'))
    onTestFinished(() => rm(far, { recursive: true, force: true }))
    await mkdir(join(far, 'files'))
    const [here, there] = [await startSyncthing(server.home), await startSyncthing(far)]
    const [recipe = ''] = commandsIn('docs/recipes.md').filter(text => text.includes('syncthing cli'))
    expect(await follow(server.home, recipe, { env: { OTHER: there.id } })).toBe('fine')
    there.cli('config', 'folders', 'add', '--id', 'files', '--path', join(far, 'files'))
    there.cli('config', 'devices', 'add', '--device-id', here.id)
    there.cli('config', 'folders', 'files', 'devices', 'add', '--device-id', here.id)
    // On one machine they do not find each other.
    here.cli('config', 'devices', there.id, 'addresses', 'add', there.address)
    there.cli('config', 'devices', here.id, 'addresses', 'add', here.address)

    const ask = (method: string, path: string, body?: string) =>
      call(server, path, { method, token, ...(body !== undefined && { body }) })
    expect((await ask('POST', '/api/resources/files/from%20here.txt', 'here')).status).toBe(200)
    const patience = { timeout: 120_000, interval: 500 }
    await expect
      .poll(() => readFile(join(far, 'files', 'from here.txt'), 'utf8').catch(() => ''), patience)
      .toBe('here')
    await writeFile(join(far, 'files', 'ünï.txt'), 'there')
    const names = async () =>
      json(await ask('GET', '/api/resources/files/')).items.map(({ name }: { name: string }) => name) as string[]
    await expect.poll(names, patience).toContain('ünï.txt')
    expect((await ask('GET', '/api/raw/files/%C3%BCn%C3%AF.txt')).text).toBe('there')
    expect((await ask('DELETE', '/api/resources/files/from%20here.txt')).status).toBe(204)
    const shown = async () => (await readdir(join(far, 'files'))).filter(name => !name.startsWith('.st'))
    await expect.poll(shown, patience).toEqual(['ünï.txt'])
  },
  400_000,
)
