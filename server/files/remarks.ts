import { type FilePath, nameOf, ROOT } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import { mapLimit } from '../lib/limit.ts'
import type { Entry, FoundEntry } from '../storage/driver.ts'
import type { MarkOwner } from './mark-records.ts'
import { asFound, type Objects } from './objects.ts'
import type { Policy } from './policy.ts'
import type { Author, CommentRecord, NoteRecord, NotesPage, RemarkCounts } from './remark-records.ts'

/** Entries that are looked up at a time. */
const LOOKUPS = 16

interface RemarksContext {
  /** The entry at a path, with all checks. */
  info: (path: FilePath) => Promise<Entry>
  policy: Policy
  objects: Objects
  owner: MarkOwner | undefined
}

/**
 * The note of a file or folder and the comments on it, which all who see the item read. Users who may replace contents
 * write the note; each user comments, and changes and removes their own comments. Both follow the object as a star does; a
 * copy has none.
 */
export class Remarks {
  readonly #context: RemarksContext

  constructor(context: RemarksContext) {
    this.#context = context
  }

  /** @throws not_found, forbidden */
  async note(path: FilePath): Promise<NoteRecord | undefined> {
    const object = await this.#objectAt(path)
    return object === undefined ? undefined : this.#demandOwner().records.note(object)
  }

  /** Sets the note of an item; an empty text removes it. @throws bad_request for the root, not_found, forbidden */
  async setNote(path: FilePath, text: string): Promise<void> {
    this.#context.policy.demand('replace', path)
    const object = await this.#objectAt(path, text !== '')
    if (object !== undefined) await this.#demandOwner().records.setNote(object, this.#author, text)
  }

  /** The comments on an item, the oldest first. @throws not_found, forbidden */
  async comments(path: FilePath): Promise<CommentRecord[]> {
    const object = await this.#objectAt(path)
    return object === undefined ? [] : this.#demandOwner().records.comments(object)
  }

  /** @throws bad_request for the root, not_found, forbidden, and exists for too many */
  async addComment(path: FilePath, text: string): Promise<CommentRecord> {
    const object = await this.#objectAt(path, true)
    if (object === undefined) throw new AppError('not_found')
    return this.#demandOwner().records.addComment(object, this.#author, text)
  }

  /** Changes a comment of the user. @returns the comment before @throws not_found, and forbidden for one of another user */
  async changeComment(id: string, text: string): Promise<CommentRecord & { path: FilePath }> {
    const comment = await this.#demandComment(id)
    if (comment.userId !== this.#author.id) throw new AppError('forbidden')
    await this.#demandOwner().records.changeComment(id, text)
    return comment
  }

  /** Removes a comment of the user; administrators also those of others. @throws as `changeComment` */
  async removeComment(id: string): Promise<CommentRecord & { path: FilePath }> {
    const comment = await this.#demandComment(id)
    const { author, records } = this.#demandOwner()
    if (comment.userId !== author.id && !author.isAdmin) throw new AppError('forbidden')
    await records.removeComment(id)
    return comment
  }

  /** The user's comments on items that the user sees, also in the trash, the latest first. */
  async own(most: number): Promise<(CommentRecord & { path: FilePath })[]> {
    const { records, id } = this.#demandOwner()
    const found = await mapLimit(await records.commentsOf(id, most), LOOKUPS, async comment => {
      const seen = await this.#context.objects.find(records, comment.on, { trash: true })
      return seen && { ...comment, path: seen.path }
    })
    return found.filter(one => one !== undefined)
  }

  /** What the entries in a folder have, by name. @throws not_found, not_a_folder, forbidden */
  async marksIn(folder: FilePath): Promise<Map<string, RemarkCounts>> {
    const { records } = this.#demandOwner()
    const { objects, info } = this.#context
    const entry = await info(folder)
    if (entry.kind !== 'folder') throw new AppError('not_a_folder')
    const marked = await records.remarksIn(objects.placeOf(entry))
    const found = await mapLimit(marked, LOOKUPS, async object => {
      const seen = await objects.find(records, object, { trash: false })
      const { hasNote, comments } = object
      return seen && ([nameOf(seen.path), { hasNote, comments }] as const)
    })
    return new Map(found.filter(one => one !== undefined))
  }

  /** The items with all texts in their notes, in any case, that the user may see and that are not in the trash, by path. */
  async noted(texts: readonly string[]): Promise<Map<FilePath, FoundEntry>> {
    const { records } = this.#demandOwner()
    const found = new Map<FilePath, FoundEntry>()
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { objects, next }: NotesPage = await records.notesWith(texts, after)
      const seen = await mapLimit(objects, LOOKUPS, object =>
        this.#context.objects.find(records, object, { trash: false }),
      )
      for (const item of seen) if (item) found.set(item.path, asFound(item))
      after = next
    }
    return found
  }

  /** A comment on an item that the user sees, also in the trash. */
  async #demandComment(id: string): Promise<CommentRecord & { path: FilePath }> {
    const { records } = this.#demandOwner()
    const comment = await records.comment(id)
    const seen = comment && (await this.#context.objects.find(records, comment.on, { trash: true }))
    if (!seen) throw new AppError('not_found')
    return { ...comment, path: seen.path }
  }

  /** @param makes whether an item without an object gets one, as what is written needs */
  async #objectAt(path: FilePath, makes = false): Promise<string | undefined> {
    const { records } = this.#demandOwner()
    const { objects, info } = this.#context
    const entry = await info(path)
    if (path === ROOT) {
      if (makes) throw new AppError('bad_request', 'the root has no note and no comments')
      return undefined
    }
    return makes ? objects.made(records, entry) : (await objects.of(records, entry))?.id
  }

  get #author(): Author {
    return this.#demandOwner().author
  }

  #demandOwner(): MarkOwner {
    const { owner } = this.#context
    if (!owner) throw new AppError('unsupported')
    return owner
  }
}
