import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { PreviewSize } from '../../../shared/api/previews.ts'
import { MAX_IMAGE_BYTES } from '../../../shared/limits.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Cache } from '../../files/cache.ts'
import type { OpenFile } from '../../files/types.ts'
import { FAILURE_AGE } from './limits.ts'
import { type Answer, ByteReader, packAnswer, readAnswer } from './messages.ts'
import type { RenderPool } from './pool.ts'
import type { RendererEntry } from './renderers/index.ts'

/** Counts up whenever previews of the same picture come out differently. */
const GENERATION = 1

export interface PreviewsDeps {
  pool: RenderPool
  cache: Cache
  cluster: Cluster
}

/** What there is to see of a file, with what tells this version of it from others. */
export type Preview = Answer & { version: string }

/** Previews of files, made once and kept as long as there is room. */
export class Previews {
  readonly #deps: PreviewsDeps

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

  close(): void {
    this.#deps.pool.close()
  }

  /** Whoever wants the same meanwhile waits for it. */
  #makeOnce(version: string, file: OpenFile, renderer: RendererEntry, size: PreviewSize, signal: AbortSignal) {
    const make = async () => (await this.#kept(version)) ?? (await this.#make(version, file, renderer, size, signal))
    return this.#deps.cluster.lock(`preview:${version}`, make, signal)
  }

  async #make(version: string, file: OpenFile, { name }: RendererEntry, size: PreviewSize, signal: AbortSignal) {
    const { size: length } = file.entry
    if (length > MAX_IMAGE_BYTES) return { kind: 'refused', code: 'body_too_large' } as const
    const source = () => file.stream()
    const answer = await this.#deps.pool.render({ renderer: name, size, length, source }, signal)
    // A full disk costs the time of making it again, not the preview.
    await this.#deps.cache.put(version, packAnswer(answer)).catch(() => {})
    return answer
  }

  async #kept(version: string): Promise<Answer | undefined> {
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
