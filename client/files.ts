import { FiligreeError } from './error.ts'
import { at, atFolder, type Http } from './http.ts'
import { linesOf } from './lines.ts'
import type { Answers, FileResource, FolderResource, RecursiveItem, Resource } from './types.gen.ts'
import { type Content, SMALL, toBlob, upload, type WriteOptions, type Written, writtenOf } from './upload.ts'

/** The first and the last byte; the last one is the end unless given. */
export interface Range {
  start: number
  end?: number
}

export interface ReadOptions {
  range?: Range
  signal?: AbortSignal
}

/** What happens where the name is taken: it is refused unless given. */
export interface TransferOptions {
  taken?: 'replace' | 'rename'
  signal?: AbortSignal
}

/** Paths are absolute in the scope of the account, and not encoded: `/reports/may 2026.pdf`. */
export class Files {
  readonly #http: Http
  constructor(http: Http) {
    this.#http = http
  }

  /** A folder with its items. @throws FiligreeError `not_a_folder` for a file */
  async list(path: string): Promise<FolderResource> {
    const found = await this.#http.json<Resource>(atFolder('/api/resources', path))
    if (!found.isDir) throw new FiligreeError({ status: 409, code: 'not_a_folder' })
    return found
  }

  /** Everything below a folder, as it is read. */
  async *walk(path: string): AsyncGenerator<RecursiveItem> {
    const response = await this.#http.call(atFolder('/api/resources/recursive', path), {
      accept: 'application/x-ndjson',
    })
    for await (const line of linesOf(response)) if (line !== '') yield JSON.parse(line) as RecursiveItem
  }

  /** A file or folder. */
  info(path: string): Promise<Resource> {
    return this.#http.json(at('/api/resources', path))
  }

  /** The digest of a file, in lower-case hex. */
  async checksum(path: string, algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512' = 'sha256'): Promise<string> {
    const file = await this.#http.json<FileResource>(at('/api/resources', path), { query: { checksum: algorithm } })
    return file.checksums?.[algorithm] ?? ''
  }

  /** The content of a file: `text()`, `blob()` or the stream `body` of the response; `ETag` is its version. */
  read(path: string, { range, signal }: ReadOptions = {}): Promise<Response> {
    const headers = range ? { Range: `bytes=${range.start}-${range.end ?? ''}` } : {}
    return this.#http.call(at('/api/raw', path), { accept: '*/*', headers, signal })
  }

  /** A folder as an archive. */
  archive(path: string, format: 'zip' | 'tar' | 'targz' = 'zip', signal?: AbortSignal): Promise<Response> {
    return this.#http.call(atFolder('/api/raw', path), { accept: '*/*', query: { algo: format }, signal })
  }

  /** A new file. Large ones are sent in chunks, and continue after a broken connection. */
  async write(path: string, content: Content, options: WriteOptions = {}): Promise<Written> {
    const blob = toBlob(content)
    if (blob.size > (options.chunk ?? SMALL)) return upload(this.#http, path, blob, options)
    const headers = await this.#http.act(at('/api/resources', path), {
      method: 'POST',
      body: blob,
      query: { override: options.replace },
      headers: { 'If-Match': options.version, 'Upload-Modified': options.modified?.getTime().toString() },
      signal: options.signal,
    })
    options.onProgress?.(blob.size, blob.size)
    return writtenOf(headers)
  }

  /**
   * New content for an existing file. @param version refuses with `precondition_failed` if the file has another one:
   * the `version` of an earlier write, or the `ETag` of a response of `read`
   */
  async save(path: string, content: Content, version?: string): Promise<Written> {
    const headers = { 'If-Match': version }
    return writtenOf(
      await this.#http.act(at('/api/resources', path), { method: 'PUT', body: toBlob(content), headers }),
    )
  }

  /** A folder with its parents; one that exists stays. */
  async folder(path: string): Promise<void> {
    await this.#http.act(atFolder('/api/resources', path), { method: 'POST' })
  }

  move(from: string, to: string, options?: TransferOptions): Promise<void> {
    return this.#transfer('rename', from, to, options)
  }

  copy(from: string, to: string, options?: TransferOptions): Promise<void> {
    return this.#transfer('copy', from, to, options)
  }

  /** @returns the id in the trash, if it went there */
  async remove(path: string, { permanent = false } = {}): Promise<string | undefined> {
    const headers = permanent ? {} : { 'X-Trash': '1' }
    const query = permanent ? { permanent } : {}
    const answer = await this.#http.act(at('/api/resources', path), { method: 'DELETE', query, headers })
    return answer.get('x-kept') ?? undefined
  }

  /** Bytes on the disk of a folder. */
  usage(path = '/'): Promise<Answers['GET /api/usage/{path}']> {
    return this.#http.json(atFolder('/api/usage', path))
  }

  async #transfer(action: 'rename' | 'copy', from: string, to: string, options: TransferOptions = {}): Promise<void> {
    const { taken, signal } = options
    // The server decodes it twice.
    const query = {
      action,
      destination: at('', to),
      override: taken === 'replace' ? true : undefined,
      rename: taken === 'rename' ? true : undefined,
    }
    await this.#http.act(at('/api/resources', from), { method: 'PATCH', query, signal })
  }
}
