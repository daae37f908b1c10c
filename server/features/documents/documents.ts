import { createHash } from 'node:crypto'
import { documentFormat } from '../../../shared/documents.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { AppError } from '../../errors.ts'
import type { OpenFile } from '../../files/types.ts'
import { Semaphore } from '../../lib/limit.ts'
import { LIMITS } from '../../limits.ts'
import type { ConversionFailure, DocumentConverter } from './converter.ts'

/** Increment it whenever the PDF of the same document comes out differently. */
const GENERATION = 1
/** Conversions at the same time. */
const AT_ONCE = 1
/** Milliseconds after which a client refused by a full queue may retry. */
const RETRY_AFTER = 5000

/** What is cached of a document that could not be converted, and the milliseconds after which it is tried again. */
const FAILURES: Readonly<Record<ConversionFailure, { content: Buffer; age: number }>> = {
  undecodable: { content: Buffer.alloc(0), age: 30 * 24 * 3_600_000 },
  // The host may have been busy.
  late: { content: Buffer.from('late'), age: LIMITS.documentRetry },
}

export interface DocumentsDeps {
  converter: Pick<DocumentConverter, 'state' | 'convert' | 'close'>
  /** The cache of previews, whose budget the PDFs share. */
  cache: {
    get(key: string): Promise<{ bytes: Buffer; written: number } | undefined>
    put(key: string, bytes: Buffer): Promise<void>
  }
  cluster: Pick<Cluster, 'lock'>
}

/** The PDF of a document, and a key for this version of it. */
export interface DocumentPdf {
  bytes: Buffer
  version: string
}

/** Office documents as PDF, made once and cached. */
export class Documents {
  readonly #deps: DocumentsDeps
  readonly #semaphore = new Semaphore(AT_ONCE, {
    maxWaiting: LIMITS.documentsWaiting,
    retryAfter: RETRY_AFTER,
  })
  /** By version of the document. */
  readonly #running = new Map<string, Promise<Buffer>>()

  constructor(deps: DocumentsDeps) {
    this.#deps = deps
  }

  get state(): DocumentConverter['state'] {
    return this.#deps.converter.state
  }

  /**
   * The PDF of an opened document; the caller checks the rights to it. A conversion continues when its caller stops waiting,
   * and closes the file in the end.
   * @param patience milliseconds to wait for it
   * @returns `undefined` while it is being made
   * @throws AppError `wrong_media_type` for other files, `unsupported` where documents cannot be converted,
   *   `body_too_large`, `undecodable` (remembered for a while), `unavailable` when too many wait, and what reading throws
   */
  async of(file: OpenFile, patience: number): Promise<DocumentPdf | undefined> {
    const format = documentFormat(file.entry.name)
    if (format === undefined) {
      await file.close()
      throw new AppError('wrong_media_type')
    }
    const version = versionOf(file, format)
    const pdf = this.#pdf(file, format, version)
    // The caller may stop waiting before it fails.
    pdf.catch(() => {})
    const bytes = await Promise.race([pdf, after(patience)])
    if (bytes && failureOf(bytes)) throw new AppError('undecodable')
    return bytes && { bytes, version }
  }

  close(): Promise<void> {
    return this.#deps.converter.close()
  }

  /** From the cache, from the conversion that is running, or from a new one. Takes ownership of the file. */
  async #pdf(file: OpenFile, format: string, version: string): Promise<Buffer> {
    const kept = await this.#kept(version)
    const ready = kept ?? this.#running.get(version)
    if (ready) {
      await file.close()
      return ready
    }
    const making = this.#convert(file, format, version)
    this.#running.set(version, making)
    return making
  }

  async #convert(file: OpenFile, format: string, version: string): Promise<Buffer> {
    try {
      return await this.#convertOpened(file, format, version)
    } finally {
      this.#running.delete(version)
      await file.close()
    }
  }

  async #convertOpened(file: OpenFile, format: string, version: string): Promise<Buffer> {
    if (this.state !== 'works') throw new AppError('unsupported')
    if (file.entry.size > LIMITS.documentInput) throw new AppError('body_too_large')
    const { cluster, converter, cache } = this.#deps
    return cluster.lock(`document:${version}`, async waited => {
      const kept = waited ? await this.#kept(version) : undefined
      if (kept) return kept
      const made = await this.#semaphore.run(() => converter.convert(file.stream(), format))
      const pdf = typeof made === 'string' ? FAILURES[made].content : made
      // A full disk costs the cache entry, not the PDF.
      await cache.put(version, pdf).catch(() => {})
      return pdf
    })
  }

  /** An entry that cannot be read is made again. */
  async #kept(version: string): Promise<Buffer | undefined> {
    const cached = await this.#deps.cache.get(version).catch(() => undefined)
    if (!cached) return undefined
    const failure = failureOf(cached.bytes)
    return failure && Date.now() - cached.written > failure.age ? undefined : cached.bytes
  }
}

/** The failure that was cached; `undefined` for a PDF. */
const failureOf = (cached: Buffer) => Object.values(FAILURES).find(({ content }) => content.equals(cached))

function after(milliseconds: number): Promise<undefined> {
  return new Promise(resolve => setTimeout(resolve, milliseconds, undefined).unref())
}

/** As for previews: independent of the path. */
function versionOf({ entry }: OpenFile, format: string): string {
  const parts = ['document', GENERATION, entry.version, format]
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}
