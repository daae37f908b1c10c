import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeCertificate, openSink } from '../../../test/mail/sink.ts'
import { parseMailServer } from '../../config/mail.ts'
import { compose } from './compose.ts'
import { languageIn, languageOf, loadTexts } from './texts.ts'
import { type Message, Transport } from './transport.ts'

const MESSAGE: Message = {
  id: 'id',
  to: 'ann@example.org',
  subject: 'Subject',
  text: 'text',
  html: '<p>html</p>',
  language: 'en',
}
const own = makeCertificate('127.0.0.1')

function transportTo(url: string, ca?: string): Transport {
  const server = parseMailServer(url) ?? expect.fail()
  const from = { name: 'Filigree', address: 'files@example.org' }
  const transport = new Transport({ server, password: 'secret', from, host: 'example.org', ...(ca && { ca }) })
  onTestFinished(() => transport.close())
  return transport
}

async function sinkWith(options: Parameters<typeof openSink>[0]) {
  const sink = await openSink(options)
  onTestFinished(() => sink.close())
  return sink
}

describe('a mail', () => {
  test('goes by TLS from the first byte, with a login', async () => {
    const logins: unknown[] = []
    const sink = await sinkWith({
      ...own,
      secure: true,
      onAuth({ username, password }, _session, done) {
        logins.push([username, password])
        done(null, { user: username })
      },
    })
    const words = await transportTo(`smtps://me%40example.org@127.0.0.1:${sink.port}`, own.cert).send(MESSAGE)
    expect(words).toMatch(/^250/)
    expect(logins).toEqual([['me@example.org', 'secret']])
    expect(sink.mails).toMatchObject([
      { from: 'files@example.org', to: ['ann@example.org'], text: expect.stringMatching(/^text/) },
    ])
  })

  test('goes by STARTTLS', async () => {
    const sink = await sinkWith(own)
    await transportTo(`smtp://127.0.0.1:${sink.port}`, own.cert).send(MESSAGE)
    expect(sink.mails).toHaveLength(1)
  })

  test.each([
    ['the server offers no STARTTLS', {}, 'smtp', own.cert],
    ['the certificate is signed by itself', own, 'smtp', undefined],
    ['the certificate is signed by itself, with TLS from the first byte', { ...own, secure: true }, 'smtps', undefined],
    ['the certificate is of another name', makeCertificate('other.example'), 'smtp', 'itself'],
  ] as const)('MAIL-05 is not sent when %s', async (_name, options, scheme, ca) => {
    const sink = await sinkWith(options)
    const trusted = ca === 'itself' && 'cert' in options ? options.cert : ca
    const sending = transportTo(`${scheme}://127.0.0.1:${sink.port}`, trusted).send(MESSAGE)
    await expect(sending).rejects.toMatchObject({ step: 'tls', isFinal: false })
    expect(sink.mails).toEqual([])
  })

  test.each([
    ['that is removed from all that both say', /STARTTLS/g, 'XXXXXXXX'],
    ['that the mail server seems to refuse', /220 Ready to start TLS/g, '454 TLS not available'],
  ])('MAIL-05 is not sent over a line with a STARTTLS %s, and neither is the password', async (_what, found, put) => {
    const sink = await sinkWith({ ...own, onAuth: () => expect.fail('a login without TLS') })
    const said: string[] = []
    const line = createServer(client => {
      const server = connect(sink.port, '127.0.0.1')
      const pass = (bytes: string | Buffer, to: Socket) =>
        to.write(bytes.toString('latin1').replace(found, put), 'latin1')
      client.on('data', bytes => said.push(bytes.toString('latin1'))).on('data', bytes => pass(bytes, server))
      server.on('data', bytes => pass(bytes, client))
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const)
        one.on('error', () => {}).on('close', () => other.destroy())
    })
    await new Promise<void>(resolve => line.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void line.close())
    const { port } = line.address() as AddressInfo
    const transport = transportTo(`smtp://me%40example.org@127.0.0.1:${port}`, own.cert)
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(transport.send(MESSAGE)).rejects.toMatchObject({ step: 'tls', isFinal: false })
    expect(sink.mails).toEqual([])
    expect(said.join('')).toContain('STARTTLS')
    expect(said.join('')).not.toMatch(/AUTH|MAIL FROM|DATA/)
  })

  test('that the server refuses for good is not tried again, and its words are kept', async () => {
    const sink = await sinkWith({})
    sink.refusals.push({ code: 550, text: 'no such user' }, { code: 451, text: 'later' })
    const transport = transportTo(`smtp://127.0.0.1:${sink.port}?tls=no`)
    await expect(transport.send(MESSAGE)).rejects.toMatchObject({
      step: 'receiver',
      isFinal: true,
      message: '550 no such user',
    })
    await expect(transport.send(MESSAGE)).rejects.toMatchObject({ step: 'receiver', isFinal: false })
  })

  test('MAIL-01 has one receiver and no header of a name', async () => {
    const sink = await sinkWith({})
    const bad = 'x\r\nBcc: eve@example.org\r\n\r\n.\r\n<eve@example.org>, \u2028y'
    const [language, instance] = [languageOf('en'), { name: bad, url: 'https://files.example.org' }]
    const content = { subject: 'inviteSubject', before: ['inviteText'], values: { by: bad, user: bad } } as const
    const parts = compose(content, { language, texts: await loadTexts(language), instance })
    await transportTo(`smtp://127.0.0.1:${sink.port}?tls=no`).send({ ...MESSAGE, ...parts })
    const [mail] = sink.mails
    expect([sink.mails.length, mail?.to]).toEqual([1, ['ann@example.org']])
    expect(Object.keys(mail?.headers ?? {})).not.toContain('bcc')
    expect(mail?.headers.to).toBe('ann@example.org')
    const long = compose(content, {
      language,
      texts: await loadTexts(language),
      instance: { ...instance, name: 'n'.repeat(10_000) },
    })
    expect(long.subject.length).toBeLessThan(200)
  })
})

describe('the mail server of the host', () => {
  test.each([
    'smtp://mail.example.org?tls=no',
    'smtp://203.0.113.7?tls=no',
    'smtps://127.0.0.1?tls=no',
    'smtps://user:pass@mail.example.org',
    'https://mail.example.org',
    'smtp://mail.example.org/path',
    'smtp://mail.example.org?tls=maybe',
    'mail.example.org',
  ])('is not %s', url => {
    expect(() => parseMailServer(url)).toThrow()
  })

  test('is on the usual port unless it has one', () => {
    expect(parseMailServer('smtps://mail.example.org')).toMatchObject({ port: 465, secure: true })
    expect(parseMailServer('smtp://mail?tls=no')).toMatchObject({ port: 587, secure: false, plain: true })
  })
})

test('the language of a browser is found by its tag, else by its beginning', () => {
  expect(['fr-CA,de', 'xx,pt-BR;q=0.8', 'uk', 'zh-Hant-TW', '', undefined].map(languageIn)).toEqual([
    'fr',
    'pt-br',
    'ua',
    'zh-tw',
    '',
    '',
  ])
})
