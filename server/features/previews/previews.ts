import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { PreviewSize } from '../../../shared/api/previews.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { ByteRange, OpenFile } from '../../files/types.ts'
import type { Cache } from './cache.ts'
import { placeOf } from './file-from-descriptor.ts'
import { FAILURE_AGE } from './limits.ts'
import { type Answer, ByteReader, packAnswer, readAnswer } from './messages.ts'
import type { RenderPool } from './pool.ts'
import { type RendererEntry, rendererFor } from './renderers/index.ts'
import type { VideoFrames } from './video-frames.ts'

/** Increment it whenever previews of the same image come out differently. */
const GENERATION = 2
/** Previews being written to the cache in the background; beyond this, each request waits for its own write. */
const MAX_PENDING_WRITES = 32

export interface PreviewsDeps {
  pool: RenderPool
  frames: VideoFrames
  /** The most pixels of an image that may be decoded. */
  maxPixels: number
  cache: Cache
  cluster: Cluster
}

/** Files whose colours are remembered. */
const MOST_COLOURS = 20_000
/** The sizes whose previews have colours, the smallest first. */
const COLOURED: readonly PreviewSize[] = ['512', '1024']

/** The preview of a file, with a key for this version of it. */
export type Preview = Answer & { version: string }

/** Previews of files, made once and cached. */
export class Previews {
  readonly #deps: PreviewsDeps
  /** By version of the file; `undefined` where no preview was found. */
  readonly #colours = new Map<string, string | undefined>()
  /** Made, and not in the cache yet. */
  readonly #pendingWrites = new Map<string, { answer: Answer; kept: Promise<void> }>()

  constructor(deps: PreviewsDeps) {
    this.#deps = deps
  }

  /**
   * The preview of an opened file; the caller checks the rights to it. A failure is cached for a day.
   * @param signal aborts the wait
   * @throws AppError `unavailable` when too many are queued, or what reading the file throws
   */
  async of(file: OpenFile, renderer: RendererEntry, size: PreviewSize, signal: AbortSignal): Promise<Preview> {
    const version = versionOf(file, renderer, size)
    const made = (await this.#kept(version)) ?? (await this.#makeOnce(version, file, renderer, size, signal))
    this.#rememberColours(file, made)
    return { ...made, version }
  }

  /**
   * The colours of a file, as in `PictureSizes`, if a preview of it was made; none is made for them. One that another
   * process has made since the first question is not found.
   */
  async coloursOf(file: OpenFile): Promise<string | undefined> {
    const { version, name } = file.entry
    if (this.#colours.has(version)) return this.#colours.get(version)
    const renderer = rendererFor(name)
    for (const size of renderer ? COLOURED : []) {
      const kept = renderer && (await this.#kept(versionOf(file, renderer, size)))
      if (kept && this.#rememberColours(file, kept)) break
    }
    if (!this.#colours.has(version)) this.#colours.set(version, undefined)
    return this.#colours.get(version)
  }

  /** Whether it has any. */
  #rememberColours({ entry }: OpenFile, answer: Answer): boolean {
    if (answer.kind !== 'picture' || answer.colours === undefined) return false
    if (this.#colours.size >= MOST_COLOURS) this.#colours.clear()
    this.#colours.set(entry.version, answer.colours)
    return true
  }

  /** Whether this host can make video thumbnails. */
  showVideos(): Promise<boolean> {
    return this.#deps.frames.areThere()
  }

  /** Whether the store of the cache works; without it previews are made for each request. */
  cacheWorks(): Promise<boolean> {
    return this.#deps.cache.answers()
  }

  /** Waits until the previews made so far are cached. */
  async settled(): Promise<void> {
    await Promise.all([...this.#pendingWrites.values()].map(({ kept }) => kept))
  }

  close(): Promise<void> {
    return this.#deps.pool.close()
  }

  /** Concurrent requests for the same preview share it. */
  #makeOnce(version: string, file: OpenFile, renderer: RendererEntry, size: PreviewSize, signal: AbortSignal) {
    const make = async (waited: boolean) =>
      (waited ? await this.#kept(version) : undefined) ?? (await this.#make(version, file, renderer, size, signal))
    return this.#deps.cluster.lock(`preview:${version}`, make, signal)
  }

  async #make(version: string, file: OpenFile, renderer: RendererEntry, size: PreviewSize, signal: AbortSignal) {
    const answer = await this.#render(file, renderer, size, signal)
    // A full disk costs the cache entry, not the preview.
    const put = this.#deps.cache.put(version, packAnswer(answer)).catch(() => {})
    const kept = put.finally(() => this.#pendingWrites.delete(version))
    this.#pendingWrites.set(version, { answer, kept })
    if (this.#pendingWrites.size > MAX_PENDING_WRITES) await kept
    return answer
  }

  async #render(
    file: OpenFile,
    { name: renderer, ofStill }: RendererEntry,
    size: PreviewSize,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { pool, frames, maxPixels } = this.#deps
    const options = { renderer, size, maxPixels }
    if (!ofStill) {
      const place = file.descriptor === undefined ? {} : { file: placeOf(file.descriptor) }
      return pool.render({ ...options, ...place, length: file.entry.size, source: range => file.stream(range) }, signal)
    }
    const still = await frames.take(file, signal)
    if (!still) return { kind: 'refused', code: 'undecodable' }
    const source = ({ start, end }: ByteRange) => Readable.from([still.subarray(start, end + 1)])
    return pool.render({ ...options, length: still.length, source }, signal)
  }

  async #kept(version: string): Promise<Answer | undefined> {
    const pending = this.#pendingWrites.get(version)
    if (pending) return pending.answer
    try {
      const cached = await this.#deps.cache.get(version)
      if (!cached) return undefined
      const answer = await readAnswer(new ByteReader(Readable.from([cached.bytes])))
      const isStale = answer.kind === 'refused' && Date.now() - cached.written > FAILURE_AGE
      return isStale ? undefined : answer
    } catch {
      // An entry that cannot be read or parsed is made again.
      return undefined
    }
  }
}

/** The version identifies the object, its size and the nanosecond of its last change, independent of the path. */
function versionOf({ entry }: OpenFile, renderer: RendererEntry, size: PreviewSize): string {
  const parts = [GENERATION, entry.version, renderer.name, size]
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}
