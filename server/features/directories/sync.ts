import type { Cluster } from '../../cluster/cluster.ts'
import type { IdentitiesTable } from '../../db/identities-schema.ts'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'
import { syncMemberships } from '../groups/groups.ts'
import { providerSource } from '../groups/members.store.ts'
import { type ClaimedGroups, isAllowed, syncClaimed } from '../identities/claimed-groups.ts'
import { identitiesFrom, noteMissing } from '../identities/identities.store.ts'
import { closeUser } from '../users/accounts.ts'
import { setDisabled } from '../users/users.store.ts'
import type { Directory } from './directory.ts'
import { DirectoryError } from './directory-error.ts'
import { type DirectoryEntry, isClosed, subjectOf } from './entry.ts'
import { lastRun, writeRun } from './runs.store.ts'

export interface SyncDeps {
  db: Db
  cluster: Cluster
  /** Ends what a closed account has under way, and notes it. */
  closed(userId: number): Promise<void>
  /** Notes that an account is open again. */
  opened(userId: number): Promise<void>
}

/** What a comparison found, and what it changed or would change. */
export interface SyncSummary {
  state: 'good' | 'doubtful'
  /** Accounts of the directory. */
  accounts: number
  /** Those whose entry is there, open, and of an allowed group. */
  open: number
  /** Those that are missing for the first time. */
  missing: number
  closed: number
  reopened: number
}

type Known = IdentitiesTable & { user_id: number }

/** With fewer of the last accounts than this share, a comparison is doubtful, if so many are gone. */
const LEAST_SHARE = 0.5
const FEW = 10

/**
 * Compares the accounts of a directory with its entries, and brings groups up to date. An account is closed by the
 * second good comparison in a row that does not find its entry open.
 * @param how `accept` takes a doubtful comparison for good; `tries` changes nothing
 * @throws DirectoryError; no account was changed then
 */
export async function syncDirectory(
  deps: SyncDeps,
  directory: Directory,
  { accept = false, tries = false } = {},
): Promise<SyncSummary> {
  const { slug } = directory.settings
  return deps.cluster.lock(directory.id, async () => {
    const known = await allIdentities(deps.db, directory.id)
    const before = await lastRun(deps.db, slug)
    const found = await openOnes(directory, known).catch(async (error: unknown) => {
      const reason = error instanceof DirectoryError ? error.message : 'internal'
      const failed = { at: Date.now(), state: 'failed', open: before?.open ?? 0, reason } as const
      if (!tries) await writeRun(deps.db, slug, failed)
      throw error
    })
    const isDoubtful = !accept && doubts(found.size, before?.open ?? 0)
    const summary = isDoubtful
      ? { ...COUNTED, state: 'doubtful' as const }
      : await settle(tries ? undefined : deps, directory, known, found)
    const state = isDoubtful ? 'doubtful' : 'good'
    const open = isDoubtful ? (before?.open ?? 0) : found.size
    if (!tries) await writeRun(deps.db, slug, { at: Date.now(), state, open })
    return { ...summary, accounts: known.length, open: found.size }
  })
}

const COUNTED: SyncSummary = { state: 'good', accounts: 0, open: 0, missing: 0, closed: 0, reopened: 0 }

/** Whether so many are gone that the directory, or what may be read of it, is more likely to be at fault. */
const doubts = (now: number, before: number): boolean =>
  (now === 0 && before > 0) || (now < before * LEAST_SHARE && before - now >= FEW)

async function allIdentities(db: Db, issuer: string): Promise<Known[]> {
  const all: Known[] = []
  for (;;) {
    const page = await identitiesFrom(db, issuer, { after: all.at(-1)?.subject ?? '', most: LIMITS.directoryPage })
    all.push(...page)
    if (page.length < LIMITS.directoryPage) return all
  }
}

/** The groups of the accounts whose entries are there, open and allowed, by their fixed ids. */
async function openOnes(directory: Directory, known: readonly Known[]): Promise<ReadonlyMap<string, ClaimedGroups>> {
  const { settings } = directory
  const wanted = new Set(known.map(({ subject }) => subject))
  const now = Date.now()
  const isOpen = (entry: DirectoryEntry) => !isClosed(entry, now)
  return directory.work(async (connection, server) => {
    const found = new Map<string, ClaimedGroups>()
    if (wanted.size === 0) return found
    const entries = await directory.findAll(connection)
    for (const entry of entries) {
      const subject = subjectOf(entry, settings.subjectAttribute)
      if (subject === undefined || !wanted.has(subject) || !isOpen(entry)) continue
      const groups = await directory.groups(connection, server, entry)
      if (isAllowed(groups.names, settings)) found.set(subject, groups)
    }
    return found
  })
}

/** @param deps nothing to only count */
async function settle(
  deps: SyncDeps | undefined,
  { id: issuer, settings }: Directory,
  known: readonly Known[],
  found: ReadonlyMap<string, ClaimedGroups>,
): Promise<SyncSummary> {
  const counted = { ...COUNTED }
  for (const identity of known) {
    const groups = found.get(identity.subject)
    if (groups) {
      if (deps) await syncClaimed(deps, identity.user_id, providerSource(issuer), groups, settings)
      if (identity.missing_since !== null) counted.reopened += 1
      if (deps && identity.missing_since !== null) await open(deps, identity)
    } else if (identity.missing_since === null) {
      counted.missing += 1
      if (deps) await noteMissing(deps.db, identity, Date.now())
    } else if (settings.onMissing === 'disable') {
      counted.closed += 1
      if (deps) await close(deps, identity)
    }
  }
  return counted
}

async function close(deps: SyncDeps, { issuer, user_id: userId }: Known): Promise<void> {
  await syncMemberships(deps, userId, providerSource(issuer), [])
  if (await closeUser(deps, userId)) await deps.closed(userId)
}

async function open(deps: SyncDeps, identity: Known): Promise<void> {
  await noteMissing(deps.db, identity, null)
  if (await setDisabled(deps.db, identity.user_id, false)) await deps.opened(identity.user_id)
}
