import { close, closeSync, fstatSync, read } from 'node:fs'
import { promisify } from 'node:util'
import { systemError } from './errno.ts'
import { answersAtOnce } from './mounts.ts'

const closeAsync = promisify(close)
const readAsync = promisify(read)

/**
 * An open file that is only read. It is closed without a thread where that cannot block: on a plain disk, unless this
 * is the last reference to a removed file, whose blocks are then freed.
 */
export class FileDescriptor {
  readonly descriptor: number
  readonly #real: string
  #reading = 0
  #closed: PromiseWithResolvers<void> | undefined

  /** @param real the real path; `''` if unknown */
  constructor(descriptor: number, real: string) {
    this.descriptor = descriptor
    this.#real = real
  }

  /** @returns bytes read, 0 at the end. Throws system errors. */
  async read(into: Buffer, position: number): Promise<number> {
    return this.lend(async descriptor => (await readAsync(descriptor, into, 0, into.length, position)).bytesRead)
  }

  /** Keeps the descriptor open while `use` reads from it. Throws what that throws, and system errors. */
  async lend<T>(use: (descriptor: number) => Promise<T>): Promise<T> {
    if (this.#closed) throw systemError('EBADF')
    this.#reading++
    try {
      return await use(this.descriptor)
    } finally {
      this.#reading--
      if (this.#closed && this.#reading === 0) this.#end(this.#closed)
    }
  }

  /** Waits for reads in progress: a descriptor closed too early may already belong to another file. */
  close(): Promise<void> {
    if (this.#closed) return this.#closed.promise
    this.#closed = Promise.withResolvers()
    if (this.#reading === 0) this.#end(this.#closed)
    return this.#closed.promise
  }

  #end({ resolve, reject }: PromiseWithResolvers<void>): void {
    if (answersAtOnce(this.#real) && fstatSync(this.descriptor).nlink > 0) {
      closeSync(this.descriptor)
      resolve()
    } else closeAsync(this.descriptor).then(resolve, reject)
  }
}
