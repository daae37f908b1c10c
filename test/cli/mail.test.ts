import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { commandsIn, follow, layOut } from '../docs/follow.ts'
import { openSink } from '../mail/sink.ts'

test('the commands of the guide start a server with mail, and send a test mail', async () => {
  const logins: unknown[] = []
  const sink = await openSink({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      logins.push([username, password])
      done(null, { user: username })
    },
  })
  onTestFinished(() => sink.close())
  const home = await mkdtemp(join(tmpdir(), 'filigree-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  await writeFile(join(home, 'mail-password'), 'secret\n')
  const mail = `smtp://files%40example.org@127.0.0.1:${sink.port}?tls=no`
  const [serve = '', tried = ''] = commandsIn('docs/mail.md')
  const here = layOut(serve, [['smtps://files%40example.org@mail.example.org', `'${mail}'`]])
  expect(await follow(home, here)).toBe('fine')
  const env = {
    FILIGREE_MAIL: mail,
    FILIGREE_MAIL_FROM: 'Filigree <files@example.org>',
    FILIGREE_MAIL_PASSWORD_FILE: 'mail-password',
    FILIGREE_PUBLIC_URL: 'https://files.example.org',
  }
  expect(await follow(home, tried, { env })).toBe('fine')
  expect(sink.to('ann@example.org')).toMatchObject([{ headers: { subject: 'Test mail from Filigree' } }])
  expect(logins).toEqual([['files@example.org', 'secret']])
  expect(await follow(home, tried)).toContain('The host has no mail server')
  sink.refusals.push({ code: 550, text: 'not you' })
  expect(await follow(home, tried, { env })).toContain('The mail was not sent (receiver): 550 not you')
})
