import { isIP } from 'node:net'
import { AppError } from '../errors.ts'
import { type MailServer, mailAddress, type Sender } from '../lib/mail-address.ts'
import { membership } from '../lib/networks.ts'

const PORTS: Readonly<Record<string, number>> = { 'smtps:': 465, 'smtp:': 587 }

const isNear = membership(['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1', 'fc00::/7'])

/** `undefined` for no mail. @throws AppError `bad_request` */
export function parseMailServer(text: string): MailServer | undefined {
  if (text === '') return undefined
  const url = URL.parse(text)
  const port = url && PORTS[url.protocol]
  const isServer = port && url.hostname !== '' && /^\/?$/.test(url.pathname) && url.hash === ''
  if (!isServer || !/^(\?tls=no)?$/.test(url.search)) {
    throw new AppError(
      'bad_request',
      `The mail server must look like smtps://user@mail.example.org:465 or smtp://user@mail.example.org:587, not '${text}'.`,
    )
  }
  if (url.password !== '') {
    throw new AppError(
      'bad_request',
      'The address of the mail server must have no password: use FILIGREE_MAIL_PASSWORD.',
    )
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const plain = url.search !== ''
  if (plain && (url.protocol !== 'smtp:' || !isLocal(host))) {
    throw new AppError('bad_request', 'Mail without TLS (tls=no) goes to this machine or a private network only.')
  }
  return {
    host,
    port: url.port === '' ? port : Number(url.port),
    secure: url.protocol === 'smtps:',
    plain,
    user: decodeURIComponent(url.username),
  }
}

/** A private address, or a name without a domain, which only a local network resolves. */
const isLocal = (host: string): boolean => (isIP(host) === 0 ? !host.includes('.') : isNear(host))

/** `undefined` for none. @throws AppError `bad_request` */
export function parseSender(text: string): Sender | undefined {
  if (text === '') return undefined
  const [, name = '', inBrackets] = /^([^<>"\0-\x1f\x7f]*)<([^<>]+)>$/.exec(text.trim()) ?? []
  const address = mailAddress(inBrackets ?? text)
  if (!address) {
    throw new AppError('bad_request', `The sender must look like Filigree <files@example.org>, not '${text}'.`)
  }
  return { name: name.trim(), address }
}
