import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail as the sink received it. */
export interface ReceivedMail {
  from: string
  /** Receivers of the envelope. */
  to: string[]
  /** Header fields in lower case, unfolded; a field that came twice has its values joined by a line feed. */
  headers: Record<string, string>
  text: string
  html: string
  raw: string
}

/** A mail server on this machine that keeps what it receives. */
export interface Sink {
  port: number
  mails: ReceivedMail[]
  /** The mails to one address. */
  to(address: string): ReceivedMail[]
  /** What it answers to the next receivers, before it accepts all. */
  refusals: { code: number; text: string }[]
  close(): Promise<void>
}

/** Starts a sink, without TLS unless its options have a key. @param port any free one by default */
export async function openSink(options: SMTPServerOptions = {}, port = 0): Promise<Sink> {
  const mails: ReceivedMail[] = []
  const refusals: Sink['refusals'] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key ? [] : ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      const refusal = refusals.shift()
      done(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        mails.push({
          from,
          to: rcptTo.map(({ address }) => address),
          ...read(Buffer.concat(pieces).toString('latin1')),
        })
        done()
      })
    },
    ...options,
  })
  // A client that refuses the certificate ends the connection.
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const bound = server.server.address()
  return {
    port: typeof bound === 'object' && bound ? bound.port : 0,
    mails,
    refusals,
    to: address => mails.filter(mail => mail.to.includes(address)),
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}

function read(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html' | 'raw'> {
  const [head, body] = split(raw)
  const headers = fieldsOf(head)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const parts = body.split(`--${boundary}`).map(part => split(part.replace(/^\r\n/, '')))
  const part = (type: string) => {
    const found = parts.find(([fields]) => fieldsOf(fields)['content-type']?.startsWith(type))
    if (!found) return ''
    return decode(found[1], fieldsOf(found[0])['content-transfer-encoding'] ?? '').replaceAll('\r\n', '\n')
  }
  return { headers, text: part('text/plain'), html: part('text/html'), raw }
}

function split(text: string): [string, string] {
  const end = text.indexOf('\r\n\r\n')
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 4)]
}

function fieldsOf(head: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name = '', value = ''] = /^([\w-]+): ?(.*)$/.exec(line) ?? []
    const key = name.toLowerCase()
    if (key !== '') fields[key] = key in fields ? `${fields[key]}\n${words(value)}` : words(value)
  }
  return fields
}

/** Encoded words of a header (RFC 2047). */
function words(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, coded: string) =>
      decode(
        kind.toLowerCase() === 'q' ? coded.replace(/_/g, '=20') : coded,
        kind.toLowerCase() === 'q' ? 'quoted-printable' : 'base64',
      ),
    )
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString('utf8')
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The secret of the link in a mail. */
export const secretIn = ({ text }: Pick<ReceivedMail, 'text'>): string => /\/login\?link#([\w-]+)/.exec(text)?.[1] ?? ''

/** A key and a certificate for a name of this machine. */
export function makeCertificate(name: string): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
  const names = /^[\d.]+$/.test(name) ? `IP:${name}` : `DNS:${name}`
  const what = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync(
    'openssl',
    [...what, '-subj', `/CN=${name}`, '-addext', `subjectAltName=${names}`, '-keyout', key, '-out', cert],
    {
      stdio: 'ignore',
    },
  )
  const made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  rmSync(folder, { recursive: true })
  return made
}

/** Flags of a server that sends mail to a sink. */
export const withMail = ({ port }: Pick<Sink, 'port'>): string[] => [
  '--mail',
  `smtp://127.0.0.1:${port}?tls=no`,
  '--mailFrom',
  'Filigree <files@example.org>',
  '--publicURL',
  'https://files.example.org',
]
