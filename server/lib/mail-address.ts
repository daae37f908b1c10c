/** The mail server of the host. */
export interface MailServer {
  host: string
  port: number
  /** TLS from the first byte; otherwise STARTTLS is demanded, unless `plain`. */
  secure: boolean
  /** No TLS at all. */
  plain: boolean
  /** `''` for no login. */
  user: string
}

/** The sender of mails. */
export interface Sender {
  /** `''` for the address alone. */
  name: string
  address: string
}

/** Longest address in characters (RFC 5321, 4.5.3.1.3). */
const LONGEST = 254

/**
 * A single mail address without comment, display name, quotes or control characters, its domain in ASCII. Headers and
 * commands of SMTP take it as it is.
 * @returns `undefined` for anything else
 */
export function mailAddress(text: string): string | undefined {
  const [, local = '', domain = ''] =
    /^([\w.!#$%&'*+/=?^`{|}~-]{1,64})@([^\s@/?#:[\]\\%<>,;"()]+)$/.exec(text.trim()) ?? []
  const host = URL.parse(`http://${domain}`)?.hostname ?? ''
  const isName = /^(?=.*[a-z])[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(host) && !host.includes('..')
  const address = `${local}@${host}`
  return domain !== '' && isName && address.length <= LONGEST ? address : undefined
}
