import { getSystemErrorName } from 'node:util'
import { bytesOf } from '../../../../shared/bytes.ts'
import { systemError } from '../errno.ts'
import { bindNative, type Native } from './native.ts'
import { STATX_BYTES, type StatFields, statFieldsIn } from './statx.ts'

/** The largest descriptor number, and the largest count of one call: the kernel passes no more at once. */
const MOST = 2 ** 31 - 4096

/** Offsets in the shared memory. */
const STAT = 0
const OFFSET = STATX_BYTES
const VECTOR = OFFSET + 8
const BYTE = VECTOR + 16
const NAME = 512
const POLLED = 5120
/** Sockets that are waited for at a time. */
const MOST_POLLED = 256
/** UTF-16 code units of a name: at three bytes each they fit between `NAME` and `POLLED`; no file system allows more. */
const LONGEST_NAME = 1024

const F_DUPFD_CLOEXEC = 1030
const MFD_CLOEXEC = 1
const RWF_NOWAIT = 8
const POLLOUT = 4
const AT_SYMLINK_NOFOLLOW = 0x100
/** Basic fields, and the birth time. */
const STATX_WANTED = 0xfff

/**
 * System calls of the current thread, with checked arguments: a wrong descriptor, size or name is refused with a system
 * error, and memory of the caller is never given to the kernel. Calls block as their counterparts in `node:fs` do.
 * Throws system errors like those of `node:fs`.
 */
export class Kernel {
  readonly #native: Native
  readonly #view: DataView
  readonly #stat: bigint
  readonly #name: bigint

  constructor(native: Native) {
    const { memory, at } = native
    this.#native = native
    this.#view = new DataView(memory.buffer, memory.byteOffset, memory.length)
    this.#stat = at(STAT)
    this.#name = at(NAME)
  }

  /** Another descriptor of the same object, which programs do not inherit. The caller closes it. */
  duplicate(descriptor: number): number {
    return this.#demand(() => this.#native.calls.fcntl(valid(descriptor), F_DUPFD_CLOEXEC, 0n))
  }

  /** A file without a name, in memory. The caller closes it. */
  memoryFile(name: string): number {
    this.#writeName(name)
    return this.#demand(() => this.#native.calls.memfd_create(this.#name, MFD_CLOEXEC))
  }

  /** Whether the byte at an offset of a file is in memory; false where the file system does not say. */
  isCached(file: number, position: number): boolean {
    const { memory, calls, at } = this.#native
    memory.writeBigUInt64LE(at(BYTE), VECTOR)
    memory.writeBigUInt64LE(1n, VECTOR + 8)
    return calls.preadv2(valid(file), at(VECTOR), 1, long(position), RWF_NOWAIT) === 1n
  }

  /**
   * Passes bytes of a file to a socket that does not block.
   * @returns how many the socket took; 0 when it is full, and at the end of the file
   */
  sendFile(socket: number, file: number, position: number, count: number): number {
    const { memory, calls, at } = this.#native
    const [to, from] = [valid(socket), valid(file)]
    const most = BigInt(size(count))
    for (;;) {
      memory.writeBigInt64LE(long(position), OFFSET)
      const sent = calls.sendfile(to, from, at(OFFSET), most)
      if (sent >= 0n) return Number(sent)
      const error = this.#error()
      if (error.code === 'EAGAIN') return 0
      if (error.code !== 'EINTR') throw error
    }
  }

  /**
   * Waits until one of some sockets takes bytes again, or has failed.
   * @param most milliseconds; a signal may end the wait earlier
   */
  awaitRoom(sockets: readonly number[], most: number): void {
    const { memory, calls, at } = this.#native
    const polled = sockets.slice(0, MOST_POLLED).map(valid)
    for (const [index, socket] of polled.entries()) {
      memory.writeInt32LE(socket, POLLED + 8 * index)
      memory.writeInt32LE(POLLOUT, POLLED + 8 * index + 4)
    }
    calls.poll(at(POLLED), BigInt(polled.length), Math.min(size(most), 1000))
  }

  /** The object with a name in a held folder, a link itself; `undefined` where there is none. */
  statAt(folder: number, name: string): StatFields | undefined {
    this.#writeName(name)
    const { calls } = this.#native
    if (calls.statx(valid(folder), this.#name, AT_SYMLINK_NOFOLLOW, STATX_WANTED, this.#stat) === 0)
      return statFieldsIn(this.#view, STAT)
    const error = this.#error()
    if (error.code === 'ENOENT') return undefined
    throw error
  }

  /** Writes one name, no path, with a NUL at its end. */
  #writeName(name: string): void {
    const { memory } = this.#native
    if (name.includes('\0') || name.includes('/')) throw systemError('EINVAL')
    if (name.length > LONGEST_NAME) throw systemError('ENAMETOOLONG')
    const length = name.isWellFormed() ? memory.write(name, NAME) : Buffer.from(bytesOf(name)).copy(memory, NAME)
    memory[NAME + length] = 0
  }

  #demand(call: () => number): number {
    for (;;) {
      const result = call()
      if (result >= 0) return result
      const error = this.#error()
      if (error.code !== 'EINTR') throw error
    }
  }

  #error(): Error & { code: string } {
    const errno = -this.#native.errno()
    const code = getSystemErrorName(errno)
    return Object.assign(new Error(code), { code, errno })
  }
}

/** The calls of the current thread; `undefined` where the runtime has none. @throws where the C library lacks one */
export function bindKernel(): Kernel | undefined {
  const native = bindNative()
  return native && new Kernel(native)
}

function valid(descriptor: number): number {
  if (!Number.isInteger(descriptor) || descriptor < 0 || descriptor > MOST) throw systemError('EBADF')
  return descriptor
}

function size(count: number): number {
  if (!Number.isInteger(count) || count < 0) throw systemError('EINVAL')
  return Math.min(count, MOST)
}

function long(position: number): bigint {
  if (!Number.isSafeInteger(position) || position < 0) throw systemError('EINVAL')
  return BigInt(position)
}
