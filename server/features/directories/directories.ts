import type { Logger } from 'pino'
import type { Finding } from '../../../shared/api/diagnostics.ts'
import type { SignInTrial } from '../../../shared/api/trials.ts'
import type { Audit } from '../../audit/audit.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import type { DirectoryUser, LoginAttempt, UserDirectories } from '../auth/method.ts'
import { syncMemberships } from '../groups/groups.ts'
import { providerSource } from '../groups/members.store.ts'
import { accountOf, type Described } from '../identities/account.ts'
import { isAllowed, syncClaimed } from '../identities/claimed-groups.ts'
import { filledHome } from '../identities/home-template.ts'
import { findIdentity, identityOf } from '../identities/identities.store.ts'
import { SignInProblem } from '../identities/problem.ts'
import type { Source } from '../identities/sources.ts'
import { type Arrived, consequences, stepwise } from '../identities/trial.ts'
import type { AccountDeps } from '../users/accounts.ts'
import type { DirectoryPasswords } from '../users/confirm-password.ts'
import { verifyDummy } from '../users/password.ts'
import { findUserByName, type StoredUser } from '../users/users.store.ts'
import { accountSwitch } from './account-switch.ts'
import { Directory, type Vouched } from './directory.ts'
import { DirectoryError } from './directory-error.ts'
import type { DirectorySettings } from './directory-settings.ts'
import { type DirectoryEntry, isClosed, subjectOf } from './entry.ts'
import { directoryFindings } from './findings.ts'
import { PeriodicSync } from './periodic-sync.ts'
import { type DirectoryRun, lastRun } from './runs.store.ts'
import { type SyncSummary, syncDirectory } from './sync.ts'

export interface DirectoriesDeps extends AccountDeps {
  log: Pick<Logger, 'info' | 'warn'>
  audit: Pick<Audit, 'record'>
  endSessions(userId: number): Promise<void>
  config: { directories: readonly DirectorySettings[] }
}

/** A directory to ask, and the name that it has for the user. */
interface Question {
  directory: Directory
  username: string
}

/** Sign-in with the LDAP directories of the host. */
export class Directories implements UserDirectories, DirectoryPasswords {
  readonly #deps: DirectoriesDeps
  readonly all: readonly Directory[]
  readonly #comparing: PeriodicSync

  constructor(deps: DirectoriesDeps) {
    this.#deps = deps
    this.all = deps.config.directories.map(settings => new Directory(settings))
    this.#comparing = new PeriodicSync({ ...deps, ...accountSwitch(deps) }, this.all)
  }

  /** Starts to compare accounts with their directories. */
  start(): void {
    this.#comparing.start()
  }

  /** What administrators should know. */
  async findings(): Promise<Finding[]> {
    const found = await Promise.all(this.all.map(directory => directoryFindings(this.#deps.db, directory)))
    return found.flat()
  }

  sources(): Source[] {
    return this.all.map(directory => {
      const { slug, label } = directory.settings
      return { kind: 'ldap', slug, label, issuer: directory.id, ask: () => directory.probe() }
    })
  }

  /** The last comparison of accounts with a directory. */
  lastRun(slug: string): Promise<DirectoryRun | undefined> {
    return lastRun(this.#deps.db, slug)
  }

  /** Compares accounts with a directory now. @throws AppError `not_found`, `provider_unavailable` */
  async compare(slug: string): Promise<SyncSummary> {
    const directory = this.#demand(slug)
    return syncDirectory({ ...this.#deps, ...accountSwitch(this.#deps) }, directory).catch((error: unknown) => {
      if (!(error instanceof DirectoryError)) throw error
      const { label: provider } = directory.settings
      throw new AppError('provider_unavailable', error.message, { cause: error, provider })
    })
  }

  /**
   * How a sign-in with a directory would go; signs no user in and changes nothing.
   * @param password is not checked if there is none
   * @returns whether the password is wrong, besides
   * @throws AppError `not_found`
   */
  async attempt(
    slug: string,
    { username, password }: { username: string; password: string | undefined },
  ): Promise<{ trial: SignInTrial; isWrong: boolean }> {
    const directory = this.#demand(slug)
    const { settings, id: issuer } = directory
    const { steps, result, error } = await stepwise(async (watch): Promise<Arrived> => {
      watch('connection')
      if (![username, password ?? username].every(isAskable)) throw new Error('a directory is not asked about this')
      const found = await (password === undefined
        ? directory.look(username, watch)
        : directory.verify(username, password, watch))
      if (!found) throw new Error('no entry has the name')
      const { subject, described, problem } = arrivedBy(found.entry, settings)
      const claims = found.entry.all()
      return { identity: { issuer, subject }, described, claims, groups: found.groups, ...(problem && { problem }) }
    })
    const arrived = result && (await consequences(this.#deps, settings, result))
    const trial = { kind: 'ldap', slug, label: settings.label, steps, ...(arrived && { arrived }) } as const
    return { trial, isWrong: error instanceof DirectoryError && error.fault === 'refused' }
  }

  #demand(slug: string): Directory {
    const directory = this.all.find(({ settings }) => settings.slug === slug)
    if (!directory) throw new AppError('not_found')
    return directory
  }

  async close(): Promise<void> {
    await this.#comparing.close()
  }

  /**
   * Checks a password with the directory of a user: the one that the account belongs to, or for an unknown name the
   * first one that has it. A local account is never asked about, whatever entries have its name.
   * @returns nothing where the local password decides
   * @throws AppError `wrong_credentials`; `identity_refused` when the password is right and the user may not come in;
   *   `provider_unavailable`
   */
  async authenticate({ username, password }: LoginAttempt): Promise<DirectoryUser | undefined> {
    const questions = await this.#questionsAbout(username)
    if (!questions) return undefined
    if (!isAskable(username) || !isAskable(password)) throw await wrong(password)
    for (const { directory, username: name } of questions) {
      const vouched = await this.#verified(directory, name, password)
      if (vouched) return { user: await this.#admitted(directory, vouched), directory: directory.id }
    }
    throw await wrong(password)
  }

  /** Directories lock accounts after a handful of wrong passwords: strangers must not bring that about through us. */
  async freeGuesses(username: string): Promise<number | undefined> {
    return (await this.#questionsAbout(username)) && LIMITS.directoryGuesses
  }

  async knows(user: StoredUser, password: string): Promise<boolean | undefined> {
    const own = await this.ofAccount(user)
    if (!own) return undefined
    if (!isAskable(password)) return false
    try {
      const vouched = await this.#verified(own.directory, own.username, password)
      const subject = vouched && subjectOf(vouched.entry, own.directory.settings.subjectAttribute)
      return subject === own.subject
    } catch (error) {
      if (error instanceof AppError && error.code === 'wrong_credentials') return false
      throw error
    }
  }

  /** Whom to ask about a name; nothing where the local password decides. */
  async #questionsAbout(username: string): Promise<Question[] | undefined> {
    if (this.all.length === 0) return undefined
    const user = await findUserByName(this.#deps.db, username)
    if (!user) return this.all.map(directory => ({ directory, username }))
    const own = await this.ofAccount(user)
    return own && [own]
  }

  /** The directory that an account belongs to, and its name there. */
  async ofAccount(user: Pick<StoredUser, 'id' | 'username'>): Promise<(Question & { subject: string }) | undefined> {
    for (const directory of this.all) {
      const identity = await identityOf(this.#deps.db, user.id, directory.id)
      if (!identity) continue
      return { directory, username: identity.username || user.username, subject: identity.subject }
    }
    return undefined
  }

  async #verified(directory: Directory, username: string, password: string): Promise<Vouched | undefined> {
    const { slug, label } = directory.settings
    try {
      return await directory.verify(username, password)
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      const facts = { directory: slug, reason: error.message }
      if (error.fault === 'refused') throw await wrong(password)
      this.#deps.log.warn(facts, 'a directory could not check a password')
      if (error.fault === 'ambiguous') throw await wrong(password)
      throw new AppError('provider_unavailable', 'provider_unavailable', { cause: error, provider: label })
    }
  }

  async #admitted(directory: Directory, { entry, groups }: Vouched): Promise<StoredUser> {
    const { slug, label } = directory.settings
    try {
      if (groups.isCut) this.#deps.log.warn({ directory: slug, dn: entry.dn }, 'a user has too many groups')
      return await this.admit(directory, { entry, groups })
    } catch (error) {
      if (!(error instanceof SignInProblem)) throw error
      const facts = { directory: slug, dn: entry.dn, problem: error.problem, reason: error.message }
      this.#deps.log.warn(facts, 'a sign-in with a directory was refused')
      throw new AppError('identity_refused', error.problem, { cause: error, provider: label })
    }
  }

  /**
   * The account of a user whom a directory vouches for, with the groups that it gives.
   * @throws SignInProblem
   */
  async admit({ id: issuer, settings }: Directory, { entry, groups }: Vouched): Promise<StoredUser> {
    const { subject, described, problem } = arrivedBy(entry, settings)
    if (problem) throw problem
    const source = providerSource(issuer)
    if (!isAllowed(groups.names, settings)) {
      await endMemberships(this.#deps, { issuer, subject }, source)
      throw new SignInProblem('not_allowed', 'no group of the user is allowed')
    }
    const { user, formerName } = await accountOf(this.#deps, settings, { issuer, subject }, described)
    if (formerName !== undefined) await this.#noteRename(user, formerName)
    await syncClaimed(this.#deps, user.id, source, groups, settings)
    return user
  }

  #noteRename(who: StoredUser, formerName: string): Promise<void> {
    const event = { action: 'user.change', outcome: 'done', way: 'ldap', address: '' } as const
    return this.#deps.audit.record({ ...event, who, target: `name: ${formerName}` })
  }
}

/** What an entry says of its user, and why it lets the user not in. */
function arrivedBy(entry: DirectoryEntry, settings: DirectorySettings) {
  const subject = subjectOf(entry, settings.subjectAttribute)
  const described = describedBy(entry, settings)
  const isOpen = !isClosed(entry, Date.now())
  if (subject !== undefined && isOpen) return { subject, described }
  const problem = isOpen
    ? new SignInProblem('bad_claims', 'the entry has no fixed id')
    : new SignInProblem('not_allowed', 'the directory has closed the account')
  return { subject: subject ?? '', described, problem }
}

/** What an entry says of the account of its user. */
export function describedBy(
  entry: DirectoryEntry,
  { usernameAttribute, homeTemplate }: Pick<DirectorySettings, 'usernameAttribute' | 'homeTemplate'>,
): Described {
  const homeOf = (username: string) => filledHome(homeTemplate, username, attribute => entry.text(attribute))
  return { name: entry.text(usernameAttribute)?.trim(), homeOf: homeTemplate === '' ? undefined : homeOf }
}

/** A user whom the directory no longer lets in keeps no rights of its groups, which API tokens would still use. */
async function endMemberships(
  deps: { db: Db; cluster: AccountDeps['cluster'] },
  identity: { issuer: string; subject: string },
  source: string,
): Promise<void> {
  const known = await findIdentity(deps.db, identity)
  if (known && known.user_id !== null) await syncMemberships(deps, known.user_id, source, [])
}

/** Whether a directory may be asked: an empty password would be an anonymous sign-in, which succeeds. */
const isAskable = (text: string): boolean =>
  text.trim() !== '' && !/\p{Cc}/u.test(text) && Buffer.byteLength(text) <= LIMITS.directoryCredential

/** After the time that a stored password takes. */
async function wrong(password: string): Promise<AppError> {
  await verifyDummy(password)
  return new AppError('wrong_credentials')
}
