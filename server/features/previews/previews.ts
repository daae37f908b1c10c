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
import type { RendererEntry } from './renderers/index.ts'
import type { Frames } from './video-frames.ts'

/** Counts up whenever previews of the same picture come out differently. */
const GENERATION = 2
/** Previews on their way into the cache that nobody waits for; with more of them each waits for its own. */
const MOST_ON_THEIR_WAY = 32

export interface PreviewsDeps {
  pool: RenderPool
  frames: Frames
  /** Pixels of a picture that may be decoded. */
  maxPixels: number
  cache: Cache
  cluster: Cluster
}

/** What there is to see of a file, with what tells this version of it from others. */
export type Preview = Answer & { version: string }

/** Previews of files, made once and kept as long as there is room. */
export class Previews {
  readonly #deps: PreviewsDeps
  /** Made, and not in the cache yet. */
  readonly #onTheirWay = new Map<string, { answer: Answer; kept: Promise<void> }>()

  constructor(deps: PreviewsDeps) {
    this.#deps = deps
  }

  /**
   * A preview of what was opened; the rights to it are the opener's concern. A failure is remembered for a day.
   * @param signal gives up waiting
   * @throws AppError `unavailable` when too many wait, or what reading the file throws
   */
  async of(file: OpenFile, renderer: RendererEntry, size: PreviewSize, signal: AbortSignal): Promise<Preview> {
    const version = versionOf(file, renderer, size)
    const made = (await this.#kept(version)) ?? (await this.#makeOnce(version, file, renderer, size, signal))
    return { ...made, version }
  }

  /** Whether this host can make pictures of films. */
  showFilms(): Promise<boolean> {
    return this.#deps.frames.areThere()
  }

  /** Whether the place that keeps previews does what it is asked; without it they are made each time. */
  placeAnswers(): Promise<boolean> {
    return this.#deps.cache.answers()
  }

  /** Waits until what was made is kept. */
  async settled(): Promise<void> {
    await Promise.all([...this.#onTheirWay.values()].map(({ kept }) => kept))
  }

  close(): Promise<void> {
    return this.#deps.pool.close()
  }

  /** Whoever wants the same meanwhile waits for it. */
  #makeOnce(version: string, file: OpenFile, renderer: RendererEntry, size: PreviewSize, signal: AbortSignal) {
    const make = async (waited: boolean) =>
      (waited ? await this.#kept(version) : undefined) ?? (await this.#make(version, file, renderer, size, signal))
    return this.#deps.cluster.lock(`preview:${version}`, make, signal)
  }

  async #make(version: string, file: OpenFile, renderer: RendererEntry, size: PreviewSize, signal: AbortSignal) {
    const answer = await this.#render(file, renderer, size, signal)
    // A full disk costs the time of making it again, not the preview.
    const put = this.#deps.cache.put(version, packAnswer(answer)).catch(() => {})
    const kept = put.finally(() => this.#onTheirWay.delete(version))
    this.#onTheirWay.set(version, { answer, kept })
    if (this.#onTheirWay.size > MOST_ON_THEIR_WAY) await kept
    return answer
  }

  async #render(
    file: OpenFile,
    { name: renderer, ofStill }: RendererEntry,
    size: PreviewSize,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { pool, frames, maxPixels } = this.#deps
    const wish = { renderer, size, maxPixels }
    if (!ofStill) {
      const place = file.descriptor === undefined ? {} : { file: placeOf(file.descriptor) }
      return pool.render({ ...wish, ...place, length: file.entry.size, source: range => file.stream(range) }, signal)
    }
    const still = await frames.take(file, signal)
    if (!still) return { kind: 'refused', code: 'undecodable' }
    const source = ({ start, end }: ByteRange) => Readable.from([still.subarray(start, end + 1)])
    return pool.render({ ...wish, length: still.length, source }, signal)
  }

  async #kept(version: string): Promise<Answer | undefined> {
    const onItsWay = this.#onTheirWay.get(version)
    if (onItsWay) return onItsWay.answer
    try {
      const cached = await this.#deps.cache.get(version)
      if (!cached) return undefined
      const answer = await readAnswer(new ByteReader(Readable.from([cached.bytes])))
      const isStale = answer.kind === 'refused' && Date.now() - cached.written > FAILURE_AGE
      return isStale ? undefined : answer
    } catch {
      // What cannot be read, or is no answer, is made anew.
      return undefined
    }
  }
}

/** The version names the object, its size and the nanosecond of its last change, whatever the path. */
function versionOf({ entry }: OpenFile, renderer: RendererEntry, size: PreviewSize): string {
  const parts = [GENERATION, entry.version, renderer.name, size]
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}
