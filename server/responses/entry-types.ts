import { buffer } from 'node:stream/consumers'
import type { PictureSizes } from '../../shared/api/picture-sizes.ts'
import type { ResourceType } from '../../shared/api/resources.ts'
import { exifOf, localTime } from '../../shared/exif.ts'
import { MAX_TEXT_BYTES } from '../../shared/limits.ts'
import { extensionOf, type FilePath } from '../../shared/path.ts'
import { isNamed, kindByContent, kindByName } from '../file-types/file-type.ts'
import { RESOLUTION_BYTES, type Resolution, resolutionOf } from '../file-types/image-size.ts'
import { shownSizeOf } from '../file-types/shown-size.ts'
import { SNIFF_BYTES } from '../file-types/text-detection.ts'
import type { Files } from '../files/files.ts'
import type { Entry, OpenFile } from '../files/types.ts'
import { mapLimit } from '../lib/limit.ts'
import { kindOfEntry } from './serializers.ts'

/** Maximum number of files per listing that are opened to detect their type; the rest go by name alone. */
const MOST_OPENED = 1000
const AT_ONCE = 16
/** Cached types, and facts of images, by version of the file. */
const MOST_KNOWN = 20_000

/** The types of some children of a folder. */
export type TypesOf = (entries: readonly Entry[]) => Promise<readonly ResourceType[]>

/** The colours of an image, as in `PictureSizes`, where they are known without decoding it. */
type ColoursOf = (file: OpenFile) => Promise<string | undefined>

/** What is known of an image; `undefined` where its header does not state it. */
interface PictureFacts {
  /** As shown. */
  size?: Resolution | undefined
  /** As in `PictureSizes`. */
  taken?: string | undefined
}

/** The first bytes of an opened file. */
export async function headOf(file: OpenFile, bytes = SNIFF_BYTES): Promise<Buffer> {
  const { size } = file.entry
  return size === 0 ? Buffer.alloc(0) : buffer(file.stream({ start: 0, end: Math.min(bytes, size) - 1 }))
}

/** The type of an opened file, by its name and its first bytes (http-api 15.2). */
export async function typeOf(file: OpenFile): Promise<ResourceType> {
  const { name, size } = file.entry
  const byName = kindByName(name, size)
  return byName === 'blob' ? kindByContent(name, size, await headOf(file)) : byName
}

/**
 * Metadata detected from content, as far as the host allows: the types of files in a listing whose names do not
 * determine them, and the dimensions of an image (http-api 15.2, 15.6).
 */
export class ContentFacts {
  readonly #detectTypes: boolean
  readonly #measure: boolean
  readonly #known = new Map<string, ResourceType>()
  /** By version of the file. */
  readonly #pictures = new Map<string, PictureFacts>()

  readonly #coloursOf: ColoursOf

  constructor(host: { typeDetectionByHeader: boolean; imageResolution: boolean }, coloursOf: ColoursOf) {
    this.#coloursOf = coloursOf
    this.#detectTypes = host.typeDetectionByHeader
    this.#measure = host.imageResolution
  }

  /** Dimensions of an opened image, in pixels; nothing for other files. */
  async resolutionOf(file: OpenFile, type: ResourceType): Promise<{ resolution?: Resolution }> {
    if (!this.#measure || type !== 'image') return {}
    const resolution = resolutionOf(await headOf(file, RESOLUTION_BYTES))
    return resolution ? { resolution } : {}
  }

  /**
   * Sizes of the images among some files, when they were taken, and their colours; `null` where that is unknown, for other files, and
   * for those that the user may not read.
   */
  async ofPictures(files: Files, paths: readonly FilePath[]): Promise<PictureSizes> {
    const sizes: PictureSizes['sizes'] = paths.map(() => null)
    const taken: PictureSizes['taken'] = paths.map(() => null)
    const colours: PictureSizes['colours'] = paths.map(() => null)
    if (!this.#measure) return { sizes, taken, colours }
    await mapLimit([...paths.entries()], AT_ONCE, async ([index, path]) => {
      const known = await this.#ofPicture(files, path)
      if (known.size) sizes[index] = [known.size.width, known.size.height]
      taken[index] = known.taken ?? null
      colours[index] = known.colours ?? null
    })
    return { sizes, taken, colours }
  }

  async #ofPicture(files: Files, path: FilePath): Promise<PictureFacts & { colours?: string | undefined }> {
    const file = await files.open(path).catch(() => undefined)
    if (!file) return {}
    try {
      const { version } = file.entry
      const facts = this.#pictures.get(version) ?? (await readPicture(file))
      if (this.#pictures.size >= MOST_KNOWN) this.#pictures.clear()
      this.#pictures.set(version, facts)
      return { ...facts, colours: await this.#coloursOf(file) }
    } catch {
      return {}
    } finally {
      await file.close()
    }
  }

  /**
   * For one listing: by name, and by content for some files whose names do not determine the type; never by content for
   * a user without the permission to download.
   */
  typesIn(files: Files, folder: FilePath): TypesOf {
    let left = this.#detectTypes && files.may('read', folder) ? MOST_OPENED : 0
    return async entries => {
      const types = entries.map(kindOfEntry)
      const unclear: [number, Entry][] = []
      for (const [index, entry] of entries.entries()) {
        if (unclear.length === left) break
        if (isUnclear(entry, types[index])) unclear.push([index, entry])
      }
      left -= unclear.length
      await mapLimit(unclear, AT_ONCE, async ([index, entry]) => {
        types[index] = await this.#typeOf(files, entry)
      })
      return types
    }
  }

  async #typeOf(files: Files, entry: Entry): Promise<ResourceType> {
    const key = entry.version + extensionOf(entry.name)
    const known = this.#known.get(key)
    if (known) return known
    const type = await lookInto(files, entry)
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    this.#known.set(key, type)
    return type
  }
}

/** Both facts are in the same beginning of the file, which is read once. */
async function readPicture(file: OpenFile): Promise<PictureFacts> {
  let first: Uint8Array | undefined
  const size = await shownSizeOf(async bytes => {
    const head = await headOf(file, bytes)
    first ??= head
    return head
  })
  const exif = first && (await exifOf(new Uint8Array(first).buffer))
  return { size, taken: exif?.taken && localTime(exif.taken) }
}

/** No text is larger than that, and only files without a known name may be anything else. */
function isUnclear({ kind, name, size }: Entry, byName: ResourceType | undefined): boolean {
  return kind === 'file' && byName === 'blob' && (size <= MAX_TEXT_BYTES || !isNamed(name))
}

async function lookInto(files: Files, { path, name, size }: Entry): Promise<ResourceType> {
  const file = await files.open(path).catch(() => undefined)
  if (!file) return kindByName(name, size)
  try {
    return await typeOf(file)
  } catch {
    return kindByName(name, size)
  } finally {
    await file.close()
  }
}
