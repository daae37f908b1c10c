import type { NewTag, Tag, TagChange } from '../../shared/api/tags.ts'
import { type FilePath, nameOf, ROOT } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import { mapLimit } from '../lib/limit.ts'
import { LIMITS } from '../limits.ts'
import type { Attributes, Entry, FoundEntry, StorageDriver } from '../storage/driver.ts'
import type { MarkOwner } from './mark-records.ts'
import { asFound, type Objects, type SeenObject } from './objects.ts'
import type { Policy } from './policy.ts'
import type { TagSetting } from './tag-records.ts'

/** Entries that are looked up at a time. */
const LOOKUPS = 16

/** Where desktop programs keep the tags of an item: their names, separated by commas. */
const ATTRIBUTE = 'user.xdg.tags'

interface TagsContext {
  store: StorageDriver
  /** The entry at a path, with all checks. */
  info: (path: FilePath) => Promise<Entry>
  policy: Policy
  objects: Objects
  owner: MarkOwner | undefined
}

/** Sets checked tags on items. */
export interface TagSetter {
  shared: readonly Tag[]
  /**
   * @returns the ids of all tags of the item
   * @throws bad_request for the root, not_found, forbidden, and exists, with nothing changed, for too many tags
   */
  set(path: FilePath): Promise<string[]>
}

/** A page of items with a tag. */
export interface TaggedPage {
  items: SeenObject[]
  /** Where the next page begins. */
  next?: string
}

/**
 * Tags of files and folders: the user's own, which no other user sees, and shared ones, which all who see the item see.
 * Administrators make shared ones, and by `--sharedTags` other users; users who may replace contents set them. A tag follows
 * its object as a star does.
 */
export class Tags {
  readonly #context: TagsContext

  constructor(context: TagsContext) {
    this.#context = context
  }

  /** The user's tags and the shared ones, by name. */
  async list(): Promise<Tag[]> {
    const { records, id } = this.#demandOwner()
    return records.tags(id)
  }

  /** @throws exists for a name taken, and for too many; forbidden for a shared one of a user who makes none */
  async add({ name, colour, shared }: NewTag): Promise<Tag> {
    const { records, id, sharesTags } = this.#demandOwner()
    if (shared && !sharesTags) throw new AppError('forbidden')
    return records.addTag(shared ? undefined : id, { name, colour })
  }

  /** @throws not_found, exists for a name taken, and forbidden as `add` */
  async change(tagId: string, change: TagChange): Promise<Tag> {
    const tag = { ...(await this.#demandChangeable(tagId)), ...change }
    await this.#demandOwner().records.changeTag(tagId, tag)
    return tag
  }

  /** Removes a tag from all items, and for good. @returns the tag @throws not_found, and forbidden as `add` */
  async remove(tagId: string): Promise<Tag> {
    const tag = await this.#demandChangeable(tagId)
    await this.#demandOwner().records.removeTag(tagId)
    return tag
  }

  /**
   * Checks tags by id, once for all items that get or lose them.
   * @returns the shared ones among them, and what sets them on an item
   * @throws not_found for an unknown one, and forbidden for a shared one without the permission
   */
  async setter(change: TagSetting): Promise<TagSetter> {
    const known = await this.list()
    const tags = [...new Set([...change.add, ...change.remove])].map(id => known.find(tag => tag.id === id))
    if (!tags.every(tag => tag !== undefined)) throw new AppError('not_found')
    const shared = tags.filter(tag => tag.shared)
    if (shared.length > 0) this.#context.policy.demand('replace', ROOT)
    return { shared, set: path => this.#set(path, change) }
  }

  async #set(path: FilePath, change: TagSetting): Promise<string[]> {
    const { records, id } = this.#demandOwner()
    if (path === ROOT) throw new AppError('bad_request', 'the root cannot be tagged')
    const { objects, info } = this.#context
    const entry = await info(path)
    if (change.add.length === 0 && !(await objects.of(records, entry))) return []
    return records.setTags(id, await objects.made(records, entry), change)
  }

  /** The ids of tags by name of the tagged entries in a folder. @throws not_found, not_a_folder, forbidden */
  async marksIn(folder: FilePath): Promise<Map<string, readonly string[]>> {
    const { records, id } = this.#demandOwner()
    const { objects, info } = this.#context
    const entry = await info(folder)
    if (entry.kind !== 'folder') throw new AppError('not_a_folder')
    const marked = await records.tagsIn(id, objects.placeOf(entry))
    const found = await mapLimit(marked, LOOKUPS, async object => {
      const seen = await objects.find(records, object, { trash: false })
      return seen && ([nameOf(seen.path), object.tags] as const)
    })
    return new Map(found.filter(one => one !== undefined))
  }

  /** A page of the items with a tag, also of the trash, that the user may see. @throws not_found */
  async itemsWith(tagId: string, before?: string): Promise<TaggedPage> {
    const { records } = this.#demandOwner()
    await this.#find(tagId)
    const page = await records.objectsWith(tagId, before)
    const found = await mapLimit(page, LOOKUPS, object => this.#context.objects.find(records, object, { trash: true }))
    const items = found.filter(item => item !== undefined)
    const here = new Set(items.filter(({ trash }) => !trash).map(item => item.id))
    await records.seen(page.filter(({ id }) => here.has(id)))
    const last = page.length < LIMITS.taggedPage ? undefined : page.at(-1)
    return { items, ...(last && { next: last.id }) }
  }

  /** The items with a tag of this name, in any case, that the user may see and that are not in the trash, by path. */
  async named(name: string): Promise<Map<FilePath, FoundEntry>> {
    const found = new Map<FilePath, FoundEntry>()
    for (const tag of await this.list()) {
      if (tag.name.toLowerCase() !== name.toLowerCase()) continue
      for (let before: string | undefined, more = true; more; more = before !== undefined) {
        const { items, next } = await this.itemsWith(tag.id, before)
        for (const item of items) if (!item.trash) found.set(item.path, asFound(item))
        before = next
      }
    }
    return found
  }

  /**
   * The names of the tags that desktop programs set on an item, in its extended attribute.
   * @throws unsupported where the disk has none, not_found, forbidden
   */
  async outside(path: FilePath): Promise<string[]> {
    const { info, store } = this.#context
    await info(path)
    return namesIn((await attributesOf(store).read(path, ATTRIBUTE))?.toString() ?? '')
  }

  /** Adds names of tags to those that desktop programs see; none is removed. @throws as `outside`, and no_space */
  async addOutside(path: FilePath, names: readonly string[]): Promise<void> {
    const { policy, store } = this.#context
    policy.demand('replace', path)
    const there = await this.outside(path)
    const all = [...new Set([...there, ...names])]
    if (all.length > there.length) await attributesOf(store).write(path, ATTRIBUTE, Buffer.from(all.join(',')))
  }

  async #find(tagId: string): Promise<Tag> {
    const tag = (await this.list()).find(({ id }) => id === tagId)
    if (!tag) throw new AppError('not_found')
    return tag
  }

  async #demandChangeable(tagId: string): Promise<Tag> {
    const tag = await this.#find(tagId)
    if (tag.shared && !this.#demandOwner().sharesTags) throw new AppError('forbidden')
    return tag
  }

  #demandOwner(): MarkOwner {
    const { owner } = this.#context
    if (!owner) throw new AppError('unsupported')
    return owner
  }
}

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')

/** @throws unsupported */
function attributesOf({ disk }: StorageDriver): Attributes {
  if (!disk?.attributes) throw new AppError('unsupported')
  return disk.attributes
}
