import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { manager, newcomer, OTHER_PASSWORD, send } from '../api/accounts.ts'
import { call, login } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { secretIn, withMail } from '../mail/sink.ts'

const isInstalled = spawnSync('aiosmtpd', ['--version']).status === 0

/** Prints a mail as Python's own library reads it. */
const READER = `
import email, email.policy, json, sys
mail = email.message_from_binary_file(open(sys.argv[1], 'rb'), policy=email.policy.default)
parts = {kind: mail.get_body((kind,)).get_content() for kind in ('plain', 'html')}
print(json.dumps({'to': str(mail['To']), 'from': str(mail['From']), 'subject': str(mail['Subject']), 'defects': [str(d) for part in mail.walk() for d in part.defects], **parts}))
`

interface ReadMail {
  to: string
  from: string
  subject: string
  defects: string[]
  plain: string
  html: string
}

/** A mail server of another maker. @returns its port, and the mails that it has received */
async function startOther() {
  const folder = await mkdtemp(join(tmpdir(), 'mailbox-'))
  const box = join(folder, 'box')
  const probe = createServer()
  await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve))
  const bound = probe.address()
  const port = typeof bound === 'object' && bound ? bound.port : 0
  await new Promise(resolve => probe.close(resolve))
  const child = spawn('aiosmtpd', ['-n', '-l', `127.0.0.1:${port}`, '-c', 'aiosmtpd.handlers.Mailbox', box])
  const ended = new Promise(resolve => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true })
  })
  const mails = async (): Promise<ReadMail[]> => {
    const names = await readdir(join(box, 'new')).catch(() => [])
    return names.map(name => {
      const { stdout, stderr } = spawnSync('python3', ['-c', READER, join(box, 'new', name)], { encoding: 'utf8' })
      if (stderr !== '') throw new Error(stderr)
      return JSON.parse(stdout)
    })
  }
  return { port, mails }
}

test.runIf(isInstalled)(
  'an invitation reaches a mail server of another maker, whose library reads it, and its link sets the password',
  async () => {
    const other = await startOther()
    const server = await serve({ args: withMail(other) })
    const admin = await manager(server)
    const user = await newcomer(server, admin, { locale: 'ar' })
    const invite = () =>
      send(server, 'POST', `/api/users/${user.id}/invitation`, admin.token, { address: 'ann@example.org' })
    expect((await invite()).status).toBe(202)
    await expect.poll(other.mails).toHaveLength(1)
    const [read] = await other.mails()
    expect(read).toMatchObject({ to: 'ann@example.org', from: 'Filigree <files@example.org>', defects: [] })
    expect(read?.subject).toMatch(/\p{Script=Arabic}/u)
    expect(read?.html).toContain('dir="rtl"')
    const used = await call(server, '/api/mail-links/use', {
      method: 'POST',
      body: JSON.stringify({ link: secretIn({ text: read?.plain ?? '' }), password: OTHER_PASSWORD }),
    })
    expect(used.status).toBe(204)
    expect((await login(server, user.name, OTHER_PASSWORD)).status).toBe(200)
  },
)
