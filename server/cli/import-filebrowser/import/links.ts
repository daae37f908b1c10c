import type { Rule } from '../../../../shared/api/users.ts'
import { joinPath } from '../../../../shared/path.ts'
import { allows } from '../../../../shared/permissions.ts'
import { AppError } from '../../../errors.ts'
import { tokenHash } from '../../../features/shares/share-token.ts'
import { findShare, insertShare, VIEWED } from '../../../features/shares/shares.store.ts'
import type { StoredUser } from '../../../features/users/users.store.ts'
import type { Files } from '../../../files/files.ts'
import type { FilesService } from '../../../files/files-service.ts'
import type { Standing } from '../../../files/places.ts'
import { scopeFolder } from '../../../files/scope-folder.ts'
import type { IncomingLink } from '../links.ts'
import { type Reporter, reporterFor } from '../normalize.ts'
import type { Tally } from '../report.ts'
import { emptyTally, type ImportContext } from './import-context.ts'

export interface ImportedLinks {
  tally: Tally
  came: string[]
}

/** Owners of share links, and their files. */
export interface Owners {
  files: FilesService
  people: ReadonlyMap<number, StoredUser>
  /** Their scopes in File Browser. */
  scopes: ReadonlyMap<number, string>
  globalRules: readonly Rule[]
}

/** Imports share links whose owners and files exist; each is bound to the current file. */
export async function importLinks(
  context: ImportContext,
  links: readonly IncomingLink[],
  owners: Owners,
): Promise<ImportedLinks> {
  const { last, notes } = context
  const tally = emptyTally()
  const came = new Set(last?.links)
  const folders = new Map<number, Promise<Files>>()
  for (const link of links) {
    const report = reporterFor(notes, `link ${link.hash}`)
    const became = await importLink(context, link, { owners, folders, came }, report)
    if (!became) continue
    tally[became] += 1
    came.add(link.hash)
  }
  if (links.length > 0) await reportRemoved(context, new Set(links.map(({ hash }) => hash)))
  return { tally, came: [...came] }
}

/** Links removed in File Browser are reported, not removed. */
async function reportRemoved({ db, last, notes }: ImportContext, there: ReadonlySet<string>): Promise<void> {
  for (const hash of last?.links ?? []) {
    if (there.has(hash) || !(await findShare(db, hash))) continue
    reporterFor(notes, `link ${hash}`)('kept', 'no longer exists in File Browser')
  }
}

/** Shared state of one run. */
interface Run {
  owners: Owners
  /** The files of each owner, opened once. */
  folders: Map<number, Promise<Files>>
  /** Links imported, now or before. */
  came: ReadonlySet<string>
}

async function importLink(
  { db, overwrite }: ImportContext,
  link: IncomingLink,
  run: Run,
  report: Reporter,
): Promise<keyof Tally | undefined> {
  const { owners, came } = run
  if (await findShare(db, link.hash)) return 'same'
  if (came.has(link.hash) && !overwrite) {
    report('kept', 'was removed here')
    return 'kept'
  }
  const owner = owners.people.get(link.owner)
  if (!owner) return cannot(report, 'its owner does not exist here')
  // The same path in another scope is a different file, which was not shared.
  if (owners.scopes.get(link.owner) !== scopeFolder(owner.scope)) {
    return cannot(report, `${owner.username} has another scope here`)
  }
  const entry = await entryOf(link, owner, run, report)
  if (!entry) return undefined
  await insertShare(db, {
    hash: link.hash,
    userId: owner.id,
    path: link.folder && link.path !== '/' ? `${link.path}/` : link.path,
    place: joinPath(scopeFolder(owner.scope), link.path),
    canonical: entry.place,
    identity: entry.identity,
    kind: entry.kind === 'folder' ? 'folder' : 'file',
    expire: link.expire,
    passwordHash: link.passwordHash,
    tokenHash: link.token === '' ? '' : tokenHash(link.token),
    ...VIEWED,
  })
  report('comes', `to ${link.path} of ${owner.username}${link.passwordHash === '' ? '' : ', with its password'}`)
  if (!allows(owner.perm, 'share')) report('changes', `works only once ${owner.username} may share and download`)
  return 'added'
}

const REASONS: Partial<Record<AppError['code'], string>> = {
  not_found: 'it does not exist',
  forbidden: 'a rule of its owner hides it',
  outside_scope: 'it is a symbolic link out of the owner’s folder',
}

/** The target of a link, if its owner may see it. */
async function entryOf(
  { path }: IncomingLink,
  owner: StoredUser,
  { owners: { files, globalRules }, folders }: Run,
  report: Reporter,
): Promise<Standing | undefined> {
  try {
    const folder = folders.get(owner.id) ?? files.for({ ...owner, rules: [...globalRules, ...owner.rules] })
    folders.set(owner.id, folder)
    const { kind } = await (await folder).info(path)
    if (kind === 'special') return cannot(report, `${path} is neither a file nor a folder`)
    return await (await folder).standing(path)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return cannot(report, `${path} of ${owner.username}: ${REASONS[error.code] ?? error.code}`)
  }
}

function cannot(report: Reporter, reason: string): undefined {
  report('cannot', reason)
}
