import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { blocksIn, layOut } from '../docs/follow.ts'

const GUIDE = 'docs/other-protocols.md'
/** A user of every Debian, in the place of one of SFTP and SMB, and its group. */
const [USER, GROUP] = ['nobody', 'nogroup']
const SSHD = '/usr/sbin/sshd'
const isRoot = process.getuid?.() === 0
const hasSsh = isRoot && existsSync(SSHD) && spawnSync('sftp', ['-V']).error === undefined
const hasSamba = isRoot && ['smbd', 'smbclient'].every(program => spawnSync(program, ['--version']).status === 0)

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise(resolve => probe.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/** A server on a folder with the owners and modes of the guide. */
async function serveShared() {
  // OpenSSH takes no folder below one that all users can change, such as that of temporary files.
  const base = await mkdtemp('/srv/filigree-')
  onTestFinished(() => rm(base, { recursive: true }))
  await chmod(base, 0o755)
  const root = join(base, 'files')
  await mkdir(root)
  execFileSync('chgrp', [GROUP, root])
  chmodSync(root, 0o2770)
  const mask = process.umask(0o007)
  const server = await serve({ root, args: ['--fileMode', '0660', '--dirMode', '0770'] }).finally(() =>
    process.umask(mask),
  )
  const token = await signIn(server)
  const ask = (method: string, path: string, body?: string) =>
    call(server, `/api/resources/${path}`, { method, token, ...(body !== undefined && { body }) })
  return { server, base, root, ask, here: (text: string) => inPlaceOf(text, base) }
}

const inPlaceOf = (text: string, base: string) =>
  layOut(text, [
    ['/srv/filigree', base],
    ['filigree-sftp', GROUP],
    ['force group = filigree', `force group = ${GROUP}`],
  ])

/** Runs a program that serves, until the test ends. */
function runUntilEnd(program: string, args: readonly string[]): void {
  const child = spawn(program, args, { stdio: 'ignore' })
  const ended = new Promise(resolve => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
}

/** What both ways must do: bring files, take files, and leave them changeable for each other. */
async function tryBothWays(
  { root, ask }: Awaited<ReturnType<typeof serveShared>>,
  { put, get, rename }: Record<'put' | 'get' | 'rename', (...names: string[]) => void>,
) {
  const scratch = await mkdtemp(join(tmpdir(), 'other-'))
  onTestFinished(() => rm(scratch, { recursive: true }))
  await chmod(scratch, 0o755)
  const [local, back] = [join(scratch, 'local.txt'), join(scratch, 'back.txt')]
  // OpenSSH takes the mode of a file along.
  await writeFile(local, 'theirs')
  await chmod(local, 0o660)
  expect((await ask('POST', 'sub/')).status).toBe(200)
  expect((await ask('POST', 'sub/ours.txt', 'ours')).status).toBe(200)
  get('sub/ours.txt', back)
  expect(await readFile(back, 'utf8')).toBe('ours')
  put(local, 'sub/theirs.txt')
  const list = async () => json(await ask('GET', 'sub/')).items.map(({ name }: { name: string }) => name) as string[]
  await expect.poll(list).toContain('theirs.txt')
  expect((await stat(join(root, 'sub', 'theirs.txt'))).mode & 0o777).toBe(0o660)
  expect((await ask('PUT', 'sub/theirs.txt', 'changed')).status).toBe(200)
  get('sub/theirs.txt', back)
  expect(await readFile(back, 'utf8')).toBe('changed')
  put(local, 'sub/ours.txt')
  expect(await readFile(join(root, 'sub', 'ours.txt'), 'utf8')).toBe('theirs')
  rename('sub/ours.txt', 'sub/renamed.txt')
  await expect.poll(list).toEqual(['renamed.txt', 'theirs.txt'])
  expect((await ask('DELETE', 'sub/renamed.txt')).status).toBe(204)
  expect(await list()).toEqual(['theirs.txt'])
}

test.runIf(hasSsh)('users of SFTP work in the same folder, and cannot leave it', async () => {
  const place = await serveShared()
  const keys = await mkdtemp(join(tmpdir(), 'sshd-'))
  onTestFinished(() => rm(keys, { recursive: true }))
  await chmod(keys, 0o755)
  for (const name of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(keys, name)])
  await mkdir('/run/sshd', { recursive: true })
  const port = await freePort()
  const [block = ''] = blocksIn(GUIDE, 'sshdconfig')
  const own = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(keys, 'host')}`,
    `PidFile ${join(keys, 'pid')}`,
    `AuthorizedKeysFile ${join(keys, 'user.pub')}`,
    'StrictModes no',
    'Subsystem sftp internal-sftp',
    'UsePAM no',
  ]
  await writeFile(join(keys, 'config'), `${own.join('\n')}\n${place.here(block)}`)
  runUntilEnd(SSHD, ['-D', '-f', join(keys, 'config')])
  const sftp = (...commands: string[]) => {
    const options = ['-oStrictHostKeyChecking=no', '-oUserKnownHostsFile=/dev/null', '-oLogLevel=ERROR']
    const args = ['-b', '-', '-P', String(port), '-i', join(keys, 'user'), ...options, `${USER}@127.0.0.1`]
    return spawnSync('sftp', args, { input: `${commands.join('\n')}\n`, encoding: 'utf8' })
  }
  await expect.poll(() => sftp('ls').status).toBe(0)
  const does = (...commands: string[]) => {
    const { status, stderr } = sftp(...commands)
    expect([status, stderr]).toEqual([0, ''])
  }
  await tryBothWays(place, {
    put: (from, to) => does(`put ${from} files/${to}`),
    get: (from, to) => does(`get files/${from} ${to}`),
    rename: (from, to) => does(`rename files/${from} files/${to}`),
  })
  expect(sftp('ls /').stdout).toContain('files')
  expect(sftp('ls /etc').status).not.toBe(0)
  expect(sftp('put /etc/hostname /above.txt').status).not.toBe(0)
})

test.runIf(hasSamba)('users of SMB work in the same folder, and see nothing of the trash', async () => {
  const place = await serveShared()
  const folder = await mkdtemp(join(tmpdir(), 'smbd-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const port = await freePort()
  const block = blocksIn(GUIDE, 'ini').find(text => text.startsWith('[files]')) ?? ''
  const folders = [
    'private dir',
    'lock directory',
    'state directory',
    'cache directory',
    'pid directory',
    'ncalrpc dir',
  ]
  const own = [
    '[global]',
    `smb ports = ${port}`,
    'interfaces = lo',
    'bind interfaces only = yes',
    'disable spoolss = yes',
    'load printers = no',
    `log file = ${join(folder, 'log')}`,
    `passdb backend = tdbsam:${join(folder, 'passdb.tdb')}`,
    ...folders.map(name => `${name} = ${folder}`),
  ]
  const config = join(folder, 'smb.conf')
  await writeFile(config, `${own.join('\n')}\n${place.here(block)}`)
  execFileSync('smbpasswd', ['-c', config, '-s', '-a', USER], { input: 'secret\nsecret\n' })
  runUntilEnd('smbd', ['-F', '-s', config])
  const smb = (command: string) =>
    spawnSync('smbclient', ['//127.0.0.1/files', '-p', String(port), '-U', `${USER}%secret`, '-c', command], {
      encoding: 'utf8',
    })
  await expect.poll(() => smb('ls').status).toBe(0)
  const does = (command: string) => {
    const { status, stdout } = smb(command)
    expect([status, stdout.includes('NT_STATUS')]).toEqual([0, false])
  }
  await tryBothWays(place, {
    put: (from, to) => does(`put ${from} ${to}`),
    get: (from, to) => does(`get ${from} ${to}`),
    rename: (from, to) => does(`rename ${from} ${to}`),
  })
  expect((await readdir(place.root)).some(name => name.startsWith('.filigree-'))).toBe(true)
  expect(smb('ls').stdout).not.toContain('.filigree-')
})
