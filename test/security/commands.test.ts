import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { findSandbox } from '../../server/sandbox/sandbox.ts'
import { textIn } from '../../server/sandbox/test-process.ts'
import { manager, newcomer, perm } from '../api/accounts.ts'
import { call, encode, json } from '../api/client.ts'
import { type CommandCall, openCommand, runCommand, startCommand } from '../api/command-client.ts'
import { EXECUTABLE, type OwnServer, uniqueName } from '../api/harness.ts'
import { corner, outsideFolder, serve } from '../api/instance.ts'
import { DENIED_MARKER, OUTSIDE_MARKER } from '../api/tree.ts'

const EVERYTHING = perm('execute', 'create', 'rename', 'modify', 'delete', 'share', 'download')
const PROGRAMS = ['sh', 'cat', 'ls', 'pwd', 'touch', 'printf']

/** Whether a process with this argument runs. */
const runs = (word: string): boolean => linesOfProcesses().some(line => line.includes(word))

/** Whether the program itself runs, and not only the sandbox that is being created for it. */
const sleeps = (word: string): boolean =>
  linesOfProcesses().some(([program = '', ...words]) => program.endsWith('sleep') && words.includes(word))

const linesOfProcesses = (): string[][] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => textOf(`/proc/${pid}/cmdline`).split('\0'))

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The administrator of a server, who may run a program there. */
async function runningChief(server: OwnServer, program: string) {
  const admin = await manager(server)
  const [{ id }] = json(await admin.list())
  expect((await admin.update(id, ['commands'], { commands: [program] })).status).toBe(200)
  return admin
}

/** A number of seconds that identifies one sleeping process. */
const ownSeconds = () => `9${Math.random().toString().slice(2, 9)}`

describe.runIf(findSandbox('bubblewrap', { PATH: process.env.PATH ?? '' }, tmpdir()).state === 'bubblewrap')(
  'in the sandbox',
  async () => {
    const server = await serve({
      args: ['--disableExec=false'],
      env: { FILIGREE_SECRET: 'hidden', DATABASE_URL: 'hidden', FROM_HOST: 'hidden' },
    })
    const admin = await manager(server)

    /** A user with a folder of their own. */
    async function addUser(fields: Record<string, unknown> = {}) {
      const { path: scope, disk } = await corner(server)
      const user = await newcomer(server, admin, { scope, perm: EVERYTHING, commands: PROGRAMS, ...fields })
      const run = (line: string, how: CommandCall = {}) => runCommand(server, line, { token: user.token, ...how })
      return {
        ...user,
        disk,
        run,
        async script(text: string) {
          await writeFile(join(disk, 'run.sh'), text)
          return startCommand(server, 'sh run.sh', { token: user.token })
        },
        async said(text: string) {
          const { lines, closed } = await this.script(text)
          await closed
          return lines.join('\n')
        },
      }
    }

    const ann = await addUser()

    test('CMD-02 a line is not interpreted by a shell', async () => {
      const { lines } = await ann.run('printf "[%s]" a; touch P $(touch P) > P')
      expect(lines).toEqual(['[a;][touch][P][$(touch][P)][>][P]'])
      expect(existsSync(join(ann.disk, 'P'))).toBe(false)
    })

    test('CMD-03 a program is the one of the system, not a file of that name in the folder', async () => {
      await writeFile(join(ann.disk, 'ls'), '#!/bin/sh\necho planted\n', { mode: 0o755 })
      expect((await ann.run('ls')).lines).toContain('ls')
      expect((await ann.run('./ls')).lines).toEqual(['Command not allowed.'])
    })

    test('CMD-04 a command finds nothing of the host: no secret, no other folder, no process, no network', async () => {
      const neighbour = await corner(server)
      await writeFile(join(neighbour.disk, 'b.txt'), OUTSIDE_MARKER)
      const said = await ann.said(`
        env; ls -a / /etc ..; cat ${neighbour.disk}/b.txt ../*/b.txt ${server.database} /etc/passwd /etc/hostname
        cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ | tr '\\0' '\\n'; cat /proc/net/dev
        echo mine > /proc/sys/kernel/domainname || echo kernel kept
        touch /tmp/mine && echo may write there; touch /usr/mine /etc/mine /mine`)
      expect(said).not.toMatch(new RegExp(`${OUTSIDE_MARKER}|hidden|FILIGREE|passphrase|DATABASE_URL|root:|SQLite`))
      expect(said).not.toMatch(/\b(eth|ens|enp|wlan)\d/)
      expect(said).not.toContain('filigree.log')
      expect(said).toContain('HOME=/tmp')
      expect(said).toContain('kernel kept')
      expect(said).toContain('may write there')
      expect(said.match(/cannot touch/g)).toHaveLength(3)
      expect(existsSync('/tmp/mine')).toBe(false)
    })

    test('CMD-05 CMD-06 a long line and a flood of errors are sent completely', async () => {
      const said = await ann.said(`
        yes complaint | head -c 1000000 >&2; head -c 1000000 /dev/zero | tr '\\0' x; printf '\\377 done'`)
      expect(said.match(/complaint/g)).toHaveLength(100_000)
      // The order of lines across the two streams is undefined.
      expect(said.replaceAll(/complaint|\n/g, '')).toBe(`${'x'.repeat(1_000_000)}\ufffd done`)
    })

    test.each([
      ['in the background', 'sleep SECONDS & wait'],
      ['deaf', `trap '' TERM HUP INT; sleep SECONDS; sleep SECONDS`],
      ['in a session of its own', 'setsid sleep SECONDS & setsid setsid sleep SECONDS & exec sleep 100'],
    ])('CMD-07 a client that leaves ends a process that is %s', async (_how, text) => {
      const seconds = ownSeconds()
      const { socket } = await ann.script(text.replaceAll('SECONDS', seconds))
      await expect.poll(() => runs(seconds)).toBe(true)
      socket.terminate()
      await expect.poll(() => runs(seconds)).toBe(false)
    })

    test('CMD-07 processes that a command leaves running end with it, and those of a killed server end with that', async () => {
      const seconds = ownSeconds()
      await ann.said(`setsid sleep ${seconds} &`)
      expect(runs(seconds)).toBe(false)

      const other = await serve({ args: ['--disableExec=false'] })
      const { token } = await runningChief(other, 'sleep')
      await startCommand(other, `sleep ${seconds}`, { token })
      await expect.poll(() => sleeps(seconds)).toBe(true)
      await other.end('SIGKILL')
      await expect.poll(() => runs(seconds)).toBe(false)
    })

    test('CMD-08 a command has limits, and one that starts ever more processes is killed', async () => {
      const limits = await ann.said('cat /proc/self/limits')
      expect(limits).toMatch(/Max processes +256 +256/)
      expect(limits).toMatch(/Max data size +1073741824 +1073741824/)
      const seconds = ownSeconds()
      const said = await ann.said(`for i in $(seq 400); do sleep ${seconds} & done; wait`)
      expect(said).toMatch(/Ended: a command may start 256 processes|annot fork/)
      await expect.poll(() => runs(seconds)).toBe(false)
    })

    test('CMD-09 a folder that is exchanged for a link gives no access', async () => {
      const outside = await outsideFolder()
      await writeFile(join(outside, 'a.txt'), OUTSIDE_MARKER)
      const [place, aside] = [join(ann.disk, 'place'), join(ann.disk, 'aside')]
      await mkdir(place)
      await writeFile(join(place, 'a.txt'), 'inside')
      const seen: string[] = []
      for (let time = 0; time < 8; time += 1) {
        const ran = ann.run('cat a.txt', { folder: '/place' })
        await rename(place, aside)
        await symlink(outside, place)
        seen.push((await ran).lines.join())
        await unlink(place)
        await rename(aside, place)
      }
      expect(seen.join()).not.toContain(OUTSIDE_MARKER)
      expect((await ann.run('cat a.txt', { folder: '/place' })).lines).toEqual(['inside'])
    })

    test('CMD-11 a permission that is revoked ends the command and all its processes', async () => {
      const ann = await addUser()
      const seconds = ownSeconds()
      const { closed } = await ann.script(`setsid sleep ${seconds} & exec sleep 100`)
      await expect.poll(() => runs(seconds)).toBe(true)
      await admin.update(ann.id, ['perm'], { perm: perm('create') })
      expect(await closed).toBe(1008)
      await expect.poll(() => runs(seconds)).toBe(false)
    })

    test('only who may do everything with their files has them changed by programs', async () => {
      const ann = await addUser({ perm: perm('execute', 'create', 'modify', 'rename', 'download') })
      await writeFile(join(ann.disk, 'a.txt'), 'mine')
      expect((await ann.run('cat a.txt')).lines).toEqual(['mine'])
      expect((await ann.run('touch b.txt')).lines.join()).toContain('Read-only file system')
      expect(existsSync(join(ann.disk, 'b.txt'))).toBe(false)
    })

    test('RULE-02 a path that a rule denies does not exist for a program; where that cannot be enforced commands are refused', async () => {
      const rules = [{ path: '/deny' }, { path: '/a.txt' }, { path: '/none' }, { path: '/../..' }]
      const ann = await addUser({ rules })
      await mkdir(join(ann.disk, 'deny'))
      for (const name of ['deny/secret.txt', 'a.txt']) await writeFile(join(ann.disk, name), DENIED_MARKER)
      await symlink('deny/secret.txt', join(ann.disk, 'alias'))
      const said = await ann.said('cat deny/secret.txt a.txt alias; ls -R; cd deny; rm -rf deny a.txt')
      expect(said).not.toContain(DENIED_MARKER)
      expect(textIn(join(ann.disk, 'deny/secret.txt')) + textIn(join(ann.disk, 'a.txt'))).toBe(DENIED_MARKER.repeat(2))
      expect(existsSync(join(ann.disk, 'none'))).toBe(false)

      const byExpression = [{ regex: true, allow: false, path: '', regexp: { raw: 'secret' } }]
      await admin.update(ann.id, ['rules'], { rules: byExpression })
      const { token } = await manager(server, ann.name, 'copper-anvil-drifts-9')
      expect((await ann.run('ls', { token })).lines).toEqual(['No command can be kept from what the rules deny here.'])
    })

    describe('a hook', () => {
      const upload = (token: string, path: string) =>
        call(server, `/api/resources${encode(path)}`, { method: 'POST', token, body: 'new' })

      const NAMES = ['$(touch P)', '`touch P`', ';touch P', '-rf', 'a\nb', '"$(touch P)"']
      test('CMD-02 CMD-10 receives every name unchanged, in the scope alone and with nothing of the host', async () => {
        const line = `sh -c 'printf "[%s]" "$1" "$FILE" "$FROM_HOST" >told; ls ${server.home} >>told 2>&1' sh $FILE`
        await admin.change({ commands: { after_upload: [line] } })
        for (const name of NAMES) {
          expect((await upload(ann.token, `/${name}`)).status).toBe(200)
          const written = textIn(join(ann.disk, 'told'))
          expect(written).toContain(`[${join(ann.disk, name)}][${join(ann.disk, name)}][]`)
          expect(written).not.toMatch(/f\.db|filigree\.log/)
        }
        expect(existsSync(join(ann.disk, 'P'))).toBe(false)
      })

      afterAll(() => admin.change({ commands: {} }))

      test('CMD-10 that floods or crashes refuses, and the server continues', async () => {
        for (const line of ['yes', `sh -c 'kill -9 $$'`]) {
          await admin.change({ commands: { before_upload: [line] } })
          const answer = await upload(ann.token, '/flood.txt')
          expect([answer.status, answer.headers.get('x-error-code')]).toEqual([422, 'hook_refused'])
        }
        expect(existsSync(join(ann.disk, 'flood.txt'))).toBe(false)
      })

      test('may be a program of the host elsewhere on the disk', async () => {
        const folder = await mkdtemp(join(tmpdir(), 'hook-'))
        onTestFinished(() => rm(folder, { recursive: true }))
        const program = join(folder, uniqueName('hook'))
        await writeFile(program, `#!/bin/sh\nls ${folder} > told\n`, { mode: 0o755 })
        await writeFile(join(folder, 'other'), '')
        await admin.change({ commands: { after_upload: [program] } })
        expect((await upload(ann.token, '/elsewhere.txt')).status).toBe(200)
        expect(textIn(join(ann.disk, 'told')).trim()).toBe(program.slice(folder.length + 1))
      })
    })
  },
)

describe('where the sandbox does not work', () => {
  test('CMD-01 commands and hooks are refused with a message, at the start and in the response', async () => {
    const nothing = await outsideFolder()
    const server = await serve({ args: ['--disableExec=false'], env: { PATH: nothing } })
    const admin = await runningChief(server, 'ls')
    const sentence = 'Commands and hooks are refused: no sandbox works here.'
    expect(server.output()).toContain(`${sentence} Install bubblewrap`)
    await expect(openCommand(server, { token: admin.token })).rejects.toMatchObject({
      status: 422,
      body: `422 Unprocessable Entity (${sentence})\n`,
    })
    expect((await call(server, '/login')).text).toContain('"ExecSandbox":"missing"')

    await admin.change({ commands: { after_upload: ['touch hooked'] } })
    const answer = await call(server, '/api/resources/a.txt', { method: 'POST', token: admin.token, body: 'x' })
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([422, 'no_sandbox'])
    expect(answer.text).toContain(sentence)
    expect(readdirSync(server.root)).toEqual([])
  })

  test('doctor gives the reason', async () => {
    const nothing = await outsideFolder()
    const args = [EXECUTABLE, 'doctor', '--root', nothing, '-d', join(nothing, 'f.db')]
    const env = { PATH: nothing, FILIGREE_DISABLE_EXEC: 'false' }
    const { stdout, status } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
    expect(stdout).toMatch(/^error +Commands and hooks are disabled: .*bubblewrap.* is not installed/m)
    expect(status).toBe(1)
  })
})
