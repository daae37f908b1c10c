import { randomBytes } from 'node:crypto'
import type { Finding } from '../../../shared/api/diagnostics.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import type { AlongEnd } from '../../jobs/jobs.store.ts'
import type { MailServer, Sender } from '../../lib/mail-address.ts'
import { LIMITS } from '../../limits.ts'
import { countRows } from '../../outbound/send-queue.store.ts'
import { nextTry, SendQueue } from '../../outbound/send-queue.ts'
import type { FlowDeps } from '../auth/flows.store.ts'
import type { Device } from '../auth/sessions.store.ts'
import { readSettings } from '../settings/settings.store.ts'
import { noteArrival } from './arrivals.ts'
import { type Content, compose } from './compose.ts'
import { mailFindings } from './findings.ts'
import { forgetMailAboutJob, mailAboutJob } from './job-ends.ts'
import { prepare } from './kinds.ts'
import { deleteMail, insertMail, type StoredMail, updateMail } from './mails.store.ts'
import type { Kind, MailKind, NewMail } from './new-mail.ts'
import { noteShared, type Shared } from './shared.ts'
import { type DeliverDevice, noteSignIn } from './sign-ins.ts'
import { switchOffUrl } from './switch-off.ts'
import { languageOf, loadTexts } from './texts.ts'
import { noteDeadMail, noteErrors, noteWebhookOff, receiversOf, type SwitchedOff } from './to-administrators.ts'
import { MailError, type Message, Transport } from './transport.ts'

const HOUR = 3_600_000

export interface MailsDeps extends FlowDeps {
  cluster: Cluster
  config: { mail: MailServer | undefined; mailPassword: string; mailFrom: Sender | undefined; publicURL: string }
  /** No other process uses this database: mails that were being sent at the start have lost their process. */
  isOnlyServer: boolean
  log: { error(facts: object, text: string): void; warn(facts: object, text: string): void }
  /** Writes the event of a sign-in from elsewhere; absent where there are no webhooks. */
  deliverDevice?: DeliverDevice | undefined
  /** Certificates besides those of the system, in PEM. */
  ca?: string
  now?: () => number
}

type QuotaReached = Kind['quota.warning'] & { userId: number }

/** Mails of this server: rows of a table, which a worker sends until the mail server takes them. */
export class Mails {
  readonly #deps: MailsDeps
  readonly #now: () => number
  readonly #queue: SendQueue<'mails'>
  readonly #transport: Transport | undefined
  #subscriptions: (() => void)[] = []

  constructor(deps: MailsDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    const { db, log, isOnlyServer, config, ca } = deps
    const { mail: server, mailFrom: from, mailPassword: password } = config
    if (server && from) {
      const host = new URL(config.publicURL).hostname
      this.#transport = new Transport({ server, from, password, host, ...(ca !== undefined && { ca }) })
    }
    this.#queue = new SendQueue({
      ...{ db, table: 'mails', name: 'mails', isOnlyServer, log, now: this.#now },
      claim: running => this.#claim(running.length),
      send: row => this.#send(row),
    })
  }

  /** Whether the host has a mail server. */
  get isOn(): boolean {
    return this.#transport !== undefined
  }

  async start(): Promise<void> {
    if (!this.isOn) return
    const { cluster } = this.#deps
    this.#subscriptions = [
      cluster.subscribe('mail.waiting', () => this.#queue.poll()),
      cluster.subscribe('job.seen', ({ id }) => void this.#jobSeen(id)),
    ]
    await this.#queue.start()
  }

  /** Ends when the mails under way have ended; the rest is sent after the next start. */
  async close(): Promise<void> {
    for (const end of this.#subscriptions) end()
    await this.#queue.close()
    await this.#transport?.close()
  }

  /** Writes a mail that the worker sends. @returns whether there was room */
  async add<K extends MailKind>(mail: NewMail<K>): Promise<boolean> {
    if (!this.isOn) return false
    const isAdded = await this.#insert(this.#deps.db, mail)
    if (isAdded) this.#announce()
    return isAdded
  }

  async #insert<K extends MailKind>(db: Db, mail: NewMail<K>): Promise<boolean> {
    const { kind, userId, address = '', data, about = '', at } = mail
    const { log } = this.#deps
    if ((await countRows(db, 'mails', { state: 'waiting' })) >= LIMITS.mailsWaiting) {
      log.warn({ kind }, 'a mail was dropped: too many wait')
      return false
    }
    const now = this.#now()
    const row = { kind, user_id: userId, address, about, data: JSON.stringify(data), state: 'waiting' }
    await insertMail(db, { ...row, id: newId(), next_at: at ?? now, created_at: now, ended_at: null })
    return true
  }

  #announce(): void {
    this.#deps.cluster.publish('mail.waiting', {})
  }

  /** Writes the mail about a job, in the transaction in which it ends. */
  readonly jobEnded: AlongEnd = async (transaction, job) => {
    const mail = this.isOn ? await mailAboutJob(transaction, job, this.#now()) : undefined
    return mail && (await this.#insert(transaction, mail)) ? () => this.#announce() : undefined
  }

  /** The user of a job has seen its end, and needs no mail. Never rejects. */
  async #jobSeen(id: string): Promise<void> {
    await forgetMailAboutJob(this.#deps.db, id).catch(error =>
      this.#deps.log.error({ err: error }, 'a mail about a job was not deleted'),
    )
  }

  /** A file has arrived by a link; its owner may want a mail. Never rejects. */
  async arrived(link: string, at: number): Promise<void> {
    await noteArrival(this.#arrivalDeps, link, at - 1).catch(error =>
      this.#deps.log.error({ err: error }, 'a mail about a file that arrived was not written'),
    )
  }

  /** A user whose quota is nearly used up gets a mail, of a root or mount each administrator, unless they want none. */
  readonly quotaReached = async ({ userId, place, percent, used, limit }: QuotaReached): Promise<void> => {
    if (!this.isOn) return
    const data = { percent, used, limit, ...(place !== undefined && { place }) }
    for (const id of await receiversOf(this.#deps.db, 'quota.warning', place === undefined ? userId : null))
      await this.add({ kind: 'quota.warning', userId: id, data })
  }

  /** A user shares something with others, who may want a mail. Never rejects. */
  readonly shared = (shared: Shared): Promise<void> =>
    noteShared(this.#arrivalDeps, shared).catch(error =>
      this.#deps.log.error({ err: error }, 'a mail about something shared was not written'),
    )

  /** A user signs in; from elsewhere than before, there is a mail, and an event for webhooks. Never rejects. */
  readonly signedIn = (userId: number, device: Device): Promise<void> =>
    noteSignIn({ ...this.#arrivalDeps, deliver: this.#deps.deliverDevice }, userId, device).catch(error =>
      this.#deps.log.error({ err: error }, 'a mail about a sign-in was not written'),
    )

  /** A webhook was switched off; administrators may want a mail. Never rejects. */
  readonly webhookOff = (webhook: SwitchedOff): Promise<void> =>
    noteWebhookOff(this.#arrivalDeps, webhook).catch(error =>
      this.#deps.log.error({ err: error }, 'a mail about a webhook was not written'),
    )

  /** The diagnostics report errors; administrators may want a mail. Never rejects. */
  readonly healthRed = (errors: readonly Finding[]): Promise<void> =>
    noteErrors(this.#arrivalDeps, errors).catch(error =>
      this.#deps.log.error({ err: error }, 'a mail about the diagnostics was not written'),
    )

  get #arrivalDeps() {
    return { db: this.#deps.db, cluster: this.#deps.cluster, mails: this, now: this.#now }
  }

  /** Sends a mail at once. @returns the words of the mail server @throws MailError */
  async sendNow(content: Content, to: { address: string; locale: string }): Promise<string> {
    const message = await this.#write(newId(), content, to)
    if (!this.#transport) throw new MailError('connection', 'There is no mail server.', true)
    return this.#transport.send(message)
  }

  /** Whether the mail server takes this server, and what it did not take. */
  async findings(): Promise<Finding[]> {
    const { db, config } = this.#deps
    if (!this.#transport || !config.mail) return []
    return mailFindings(db, { transport: this.#transport, server: config.mail, now: this.#now() })
  }

  async #claim(running: number): Promise<StoredMail[]> {
    const { db } = this.#deps
    const sent = await countRows(db, 'mails', { state: 'sent', endedSince: this.#now() - HOUR })
    const left = LIMITS.mailsPerHour - sent - running
    const limit = Math.min(LIMITS.mailsAtOnce - running, left)
    return limit > 0 ? this.#queue.take(limit) : []
  }

  async #send(row: StoredMail): Promise<void> {
    const { db, log, secrets, config } = this.#deps
    const prepared = await prepare({ ...this.#arrivalDeps, secrets, publicURL: config.publicURL }, row)
    if (!prepared) return deleteMail(db, row.id)
    const tries = row.tries + 1
    try {
      const off = await switchOffUrl({ db, publicURL: config.publicURL }, row, prepared.to.address)
      const message = await this.#write(row.id, prepared.content, prepared.to)
      await this.#transport?.send({ ...message, off })
      await updateMail(db, row.id, { state: 'sent', tries, reason: '', ended_at: this.#now(), ...prepared.sent })
      await prepared.after?.()
    } catch (error) {
      if (!(error instanceof MailError)) throw error
      const { step, message: reason, isFinal } = error
      log.warn({ kind: row.kind, step, tries }, 'a mail could not be sent')
      const next = isFinal ? undefined : nextTry(tries, this.#now())
      const state = next === undefined ? { state: 'dead', ended_at: this.#now() } : { next_at: next }
      await updateMail(db, row.id, { tries, reason, ...state })
      if (next === undefined) await this.#gaveUp(row.kind as MailKind, reason)
    }
  }

  #gaveUp(kind: MailKind, reason: string): Promise<void> {
    return noteDeadMail(this.#arrivalDeps, kind, reason).catch(error =>
      this.#deps.log.error({ err: error }, 'a mail about a mail that was given up was not written'),
    )
  }

  async #write(id: string, content: Content, to: { address: string; locale: string }): Promise<Message> {
    const { db, config } = this.#deps
    const { branding, defaults } = await readSettings(db)
    const language = languageOf(to.locale || defaults.locale)
    const instance = { name: branding.name || 'Filigree', url: config.publicURL }
    const parts = compose(content, { language, texts: await loadTexts(language), instance })
    return { ...parts, id, to: to.address, language: language.tag }
  }
}

const newId = () => randomBytes(16).toString('base64url')
