import type { MailStep } from '../../../shared/api/mail.ts'
import type { MailServer, Sender } from '../../lib/mail-address.ts'
import { LIMITS } from '../../limits.ts'

export interface TransportOptions {
  server: MailServer
  password: string
  from: Sender
  /** Host of the public URL, for ids of messages. */
  host: string
  /** Certificates besides those of the system, in PEM. */
  ca?: string
}

/** A mail to one receiver. */
export interface Message {
  /** Unique, for the `Message-ID`. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** BCP 47 tag. */
  language: string
  /** An address that switches mails like this one off by one request (RFC 8058). */
  off?: string | undefined
}

/** A mail that was not sent. The message is what the mail server said, or why it could not be asked. */
export class MailError extends Error {
  readonly step: MailStep
  /** Another try is of no use. */
  readonly isFinal: boolean

  constructor(step: MailStep, words: string, isFinal: boolean) {
    super(words)
    this.step = step
    this.isFinal = isFinal
  }
}

type Pool = Awaited<ReturnType<typeof openPool>>

/** Sends mails by SMTP. The library is loaded with the first mail. */
export class Transport {
  readonly #options: TransportOptions
  #pool: Promise<Pool> | undefined

  constructor(options: TransportOptions) {
    this.#options = options
  }

  /** @returns the last words of the mail server @throws MailError */
  async send({ id, to, subject, text, html, language, off }: Message): Promise<string> {
    const { from, host } = this.#options
    this.#pool ??= openPool(this.#options)
    const pool = await this.#pool
    try {
      const { response } = await pool.sendMail({
        from,
        to: { name: '', address: to },
        envelope: { from: from.address, to: [to] },
        subject: oneLine(subject),
        text,
        html,
        messageId: `<${id}@${host}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language, ...unsubscribeBy(off) },
      })
      return response
    } catch (error) {
      throw problemOf(error)
    }
  }

  /** Connects and signs in, and sends nothing. @throws MailError */
  async verify(): Promise<void> {
    this.#pool ??= openPool(this.#options)
    const late = new MailError('connection', 'no answer in time', false)
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(late), LIMITS.mailVerify)
    })
    try {
      await Promise.race([(await this.#pool).verify(), timeout])
    } catch (error) {
      throw error === late ? late : problemOf(error)
    } finally {
      clearTimeout(timer)
    }
  }

  async close(): Promise<void> {
    const pool = await this.#pool
    pool?.close()
  }
}

const unsubscribeBy = (url: string | undefined) =>
  url === undefined ? {} : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }

async function openPool({ server, password, ca }: TransportOptions) {
  const { createTransport } = await import('nodemailer')
  const { host, port, secure, plain, user } = server
  return createTransport({
    pool: true,
    maxConnections: LIMITS.mailsAtOnce,
    host,
    port,
    secure,
    requireTLS: !secure && !plain,
    ignoreTLS: plain,
    ...(user !== '' && { auth: { user, pass: password } }),
    tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    connectionTimeout: LIMITS.mailConnect,
    greetingTimeout: LIMITS.mailConnect,
    socketTimeout: LIMITS.mailTime,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

const STEPS: Readonly<Record<string, MailStep>> = {
  EDNS: 'name',
  ECONNECTION: 'connection',
  ESOCKET: 'connection',
  ETIMEDOUT: 'connection',
  ETLS: 'tls',
  EAUTH: 'login',
  ENOAUTH: 'login',
  EENVELOPE: 'receiver',
}

const CERTIFICATE = /certificate|ERR_TLS|ERR_SSL|SELF_SIGNED|\bSSL\b|altnames/i

function problemOf(error: unknown): MailError {
  const {
    code = '',
    message,
    response,
    responseCode = 0,
  } = error as {
    code?: string
    message: string
    response?: string
    responseCode?: number
  }
  const known = STEPS[code] ?? 'message'
  const step = known === 'connection' && CERTIFICATE.test(message) ? 'tls' : known
  const isFinal = responseCode >= 500 && (step === 'receiver' || step === 'message')
  return new MailError(step, oneLine(response ?? message).slice(0, LIMITS.mailReason), isFinal)
}

/** Without control characters: what users named must begin no header. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
