import { type FilePath, joinPath, nameOf, parentOf, ROOT, trustedChild } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { Entry, KeptAt, KeptThings, StorageDriver } from '../storage/driver.ts'
import { baseAt } from './base.ts'
import type { FilesContext } from './changes.ts'
import { Failures } from './copy.ts'
import { freeName, NameReservations } from './free-name.ts'
import { type Recorder, recordParents, UNRECORDED } from './recorder.ts'
import { copyElsewhere, isElsewhere } from './restore-elsewhere.ts'
import type { KeptEntryAt } from './versions.ts'

/** What to do with an entry at the path of a restored one. */
export const RESTORE_CHOICES = ['keepBoth', 'replace', 'skip'] as const
export type RestoreChoice = (typeof RESTORE_CHOICES)[number]

export interface RestoreRequest {
  /** The new path. */
  to?: FilePath
  /** Decides by path; `keepBoth` unless given. */
  choose?: (path: FilePath) => RestoreChoice | undefined
}

/** What a restore works with. */
export interface RestoreTools {
  /** Of the kept thing. */
  id: string
  /** Includes names that the user only hides. */
  context: FilesContext & { record: Recorder }
  /** The user's own context. */
  requested: FilesContext
  kept: KeptThings
  locked<T>(path: FilePath, act: () => Promise<T>): Promise<T>
  /** Moves an existing entry to the trash. @throws forbidden */
  replace(path: FilePath): Promise<void>
  /** Called for each entry that came back; both paths are in the scope. */
  restored(had: FilePath, path: FilePath): Promise<void>
  /** Called for each entry of which a copy comes back, before it leaves the trash for good. @param kept see `Versions.copied` */
  copied(had: FilePath, path: FilePath, kept: KeptEntryAt): Promise<void>
  /** Called for each folder that was made for it. */
  made(path: FilePath): void
  /** Records that an entry is about to get a path. @returns takes that back */
  begin(entry: Entry, path: FilePath): Promise<() => Promise<void>>
}

/** A copy that came back. */
interface Copy {
  had: FilePath
  to: FilePath
  kept: KeptEntryAt
}

/** What is restored: a kept thing, or an entry inside it, and the path in the scope that it had. */
interface Source {
  at: KeptAt
  inner: FilePath
  had: FilePath
}

/** Brings a kept thing back; see `Trash.restore`. */
export async function restoreInto(
  tools: RestoreTools,
  source: Source,
  { to, choose = () => undefined }: RestoreRequest & { to: FilePath },
): Promise<FilePath | undefined> {
  if (!tools.requested.policy.sees(to) || to === ROOT) throw new AppError('forbidden')
  const view = await tools.kept.open(source.at, () => true)
  const entry = source.inner === ROOT ? await tools.kept.look(source.at) : await innerEntry(view, source)
  if (!entry) throw new AppError('not_found')
  await recordParents(tools.context, to, () => makeParents(tools, parentOf(to)))
  return new NameReservations().during(baseAt(ROOT), reserve => {
    const work = new Restore(tools, view, choose, path => freeName({ ...tools.context, reserve }, path))
    return work.entry(source, entry, to)
  })
}

/** An entry in a kept folder as its folder lists it: a link is described itself, wherever it leads. */
export async function innerEntry(
  view: StorageDriver,
  { at, inner }: Pick<Source, 'at' | 'inner'>,
): Promise<Entry | undefined> {
  const path = joinPath(trustedChild(ROOT, at.name), inner)
  for await (const batch of view.list(parentOf(path))) {
    const found = batch.find(({ name }) => name === nameOf(path))
    if (found) return found
  }
  return undefined
}

class Restore {
  readonly #tools: RestoreTools
  readonly #view: StorageDriver
  readonly #choose: NonNullable<RestoreRequest['choose']>
  readonly #freeName: (path: FilePath) => Promise<FilePath>
  readonly #copies: Copy[] = []
  #isMerging = false

  constructor(
    tools: RestoreTools,
    view: StorageDriver,
    choose: NonNullable<RestoreRequest['choose']>,
    free: (path: FilePath) => Promise<FilePath>,
  ) {
    this.#tools = tools
    this.#view = view
    this.#choose = choose
    this.#freeName = free
  }

  /** @returns the path; `undefined` when it was skipped, or something in a merged folder was */
  async entry(source: Source, entry: Entry, to: FilePath): Promise<FilePath | undefined> {
    const standing = await this.#tools.context.store.stat(to)
    const from = { ...source, entry }
    if (!standing) return this.#bring(from, to)
    if (isOwnFolder(entry) && isOwnFolder(standing)) return this.#merge(source, entry, to)
    const choice = this.#choose(to) ?? 'keepBoth'
    if (choice === 'skip') return undefined
    if (choice === 'keepBoth') return this.#bring(from, await this.#freeName(to))
    await this.#tools.replace(to)
    return this.#bring(from, to)
  }

  async #bring(from: Source & { entry: Entry }, to: FilePath): Promise<FilePath> {
    const { had, entry: came } = from
    const { id, locked, restored, context } = this.#tools
    // The entries of a folder that merges into another one are recorded when they are there.
    const forget = this.#isMerging ? undefined : await this.#tools.begin(came, to)
    try {
      await locked(to, () => this.#give(from, to))
    } catch (thrown) {
      const there = await context.store.stat(to).catch(() => undefined)
      if (there?.identity !== came.identity) await forget?.()
      throw thrown
    }
    const entry = context.record === UNRECORDED ? undefined : await context.store.stat(to).catch(() => undefined)
    if (entry) context.record.restored(entry, id)
    await restored(had, to)
    return to
  }

  async #give({ at, inner, had, entry }: Source & { entry: Entry }, to: FilePath): Promise<void> {
    const { kept, context } = this.#tools
    if (!isElsewhere(context.store, at, to)) return kept.bringBack(at, to, { inner, as: had })
    await copyElsewhere(context, { view: this.#view, entry, had }, to)
    this.#copies.push({ had, to, kept: within => this.#view.stat(joinPath(entry.path, within)) })
    // A part of a folder stays in it.
    if (inner === ROOT) await this.#drop({ at, had }, to)
  }

  /** Takes a thing out of the trash that has its path; a copy in another root leaves it there without the right to delete. */
  async #drop({ at, had }: Pick<Source, 'at' | 'had'>, to: FilePath): Promise<void> {
    const { kept, context, requested } = this.#tools
    if (isElsewhere(context.store, at, to) && !requested.policy.may('remove', had)) return
    for (const copy of this.#copies) await this.#tools.copied(copy.had, copy.to, copy.kept)
    await kept.drop(at)
  }

  /** Moves what is in a kept folder into an existing one; a folder left empty is gone. */
  async #merge(source: Source, folder: Entry, to: FilePath): Promise<FilePath | undefined> {
    const failures = new Failures(undefined)
    this.#isMerging = true
    let isWhole = true
    const children: Entry[] = []
    for await (const batch of this.#view.list(folder.path)) children.push(...batch)
    for (const child of children) {
      const { name } = child
      const inner = { ...source, inner: trustedChild(source.inner, name), had: trustedChild(source.had, name) }
      const went = await this.entry(inner, child, trustedChild(to, name)).catch(thrown =>
        failures.add(thrown, child.path),
      )
      isWhole &&= went !== undefined
    }
    failures.end()
    if (isWhole && source.inner === ROOT) await this.#drop(source, to)
    if (isWhole) await this.#tools.restored(source.had, to)
    return isWhole ? to : undefined
  }
}

/** Makes the folders of a path. @throws not_a_folder when something else is in the way */
async function makeParents({ context, locked, made }: RestoreTools, folder: FilePath): Promise<void> {
  try {
    const there = await context.store.stat(folder)
    if (there?.kind === 'folder') return
    await locked(folder, () => context.store.mkdir(folder))
    made(folder)
  } catch (thrown) {
    const { code } = asAppError(thrown)
    throw code === 'exists' || code === 'outside_scope' ? new AppError('not_a_folder') : thrown
  }
}

const isOwnFolder = ({ kind, isLink }: Entry) => kind === 'folder' && !isLink
