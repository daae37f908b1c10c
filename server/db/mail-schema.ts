import type { Generated } from 'kysely'

export interface MailTables {
  mail_addresses: MailAddressesTable
  mails: MailsTable
  sign_in_places: SignInPlacesTable
}

/** Mail addresses of users. */
export interface MailAddressesTable {
  user_id: number
  /** The address that its user has confirmed, `''` if there is none yet. */
  address: string
  /** The address that waits to be confirmed, `''` if there is none. */
  pending: string
  /** Whether its user wants any mails that can be switched off. */
  notices: Generated<number>
  /** `NoticeKind`s that its user does not want, with spaces between. */
  notices_off: Generated<string>
}

/** Mails on their way. Texts and links are made when a mail is sent: no row has a secret. */
export interface MailsTable {
  /** 128 random bits, base64url. */
  id: string
  /** `MailKind`. */
  kind: string
  /** The receiver; null for a typed name that is not looked up yet. */
  user_id: number | null
  /** Where it goes; `''` for the confirmed address of the user. */
  address: string
  /** The hash of a link, for mails about one; `''` otherwise. */
  about: string
  /** By kind, as JSON. */
  data: string
  /** `waiting`, `sent` or `dead`. */
  state: string
  tries: Generated<number>
  /** When it is due; a try under way has moved it on, so that another follows if its process dies. */
  next_at: number
  /** Why the last try failed: the words of the mail server. */
  reason: Generated<string>
  created_at: number
  ended_at: number | null
}

/** What users signed in from; a sign-in from elsewhere makes a mail. */
export interface SignInPlacesTable {
  user_id: number
  /** Digest of browser, system and network. */
  place: string
  seen_at: number
}
