import { constants } from 'node:os'
import { getSystemErrorName } from 'node:util'
import { bytesOf } from '../../../../shared/bytes.ts'
import { systemError } from '../errno.ts'
import type { NativePath } from '../native-path.ts'
import { type VisitChild, visitEntries } from './dirents.ts'
import { bindNative, MEMORY, type Native } from './native.ts'
import { STATX_BYTES, Statx } from './statx.ts'

/** The largest descriptor number, and the largest count of one call: the kernel passes no more at once. */
const MOST = 2 ** 31 - 4096

/** Offsets in the shared memory. */
const STAT = 0
const OFFSET = STATX_BYTES
const VECTOR = OFFSET + 8
const BYTE = VECTOR + 16
const HOW = BYTE + 8
const OTHER_OFFSET = HOW + 24
const NAME = 512
/** A second name of the same call. */
const OTHER_NAME = 4096
const POLLED = 5120
/** Names of a folder. */
const CHILDREN = 8192
const CHILDREN_BYTES = MEMORY - CHILDREN
/** The path of a descriptor, and the name of an attribute; what it holds lies at `NAME`. */
const DESCRIBED = 7168
const ATTRIBUTE = 7232
/** Bytes of an extended attribute: most file systems allow no more. */
export const LARGEST_ATTRIBUTE = 4096
/** Bytes of its name, as the kernel has it. */
const LONGEST_ATTRIBUTE = 255
/** Sockets that are waited for at a time. */
const MOST_POLLED = 256
/** UTF-16 code units of a name: at three bytes each they fit between `NAME` and `OTHER_NAME`; no file system allows more. */
const LONGEST_NAME = 1024
/** Bytes of a path, without the NUL: PATH_MAX. */
const LONGEST_PATH = 4095

const F_DUPFD_CLOEXEC = 1030
const MFD_CLOEXEC = 1
const RWF_NOWAIT = 8
const POLLOUT = 4
const AT_SYMLINK_NOFOLLOW = 0x100
const AT_SYMLINK_FOLLOW = 0x400n
const AT_FDCWD = -100
/** The C libraries have no function for it; the number is the same on every processor. */
const SYS_OPENAT2 = 437n
/** musl has had no function for it for long. */
const SYS_RENAMEAT2 = process.arch === 'arm64' ? 276n : 316n
const SYS_LINKAT = process.arch === 'arm64' ? 37n : 265n
const SYS_GETDENTS64 = process.arch === 'arm64' ? 61n : 217n
const RENAME_NOREPLACE = 1n
const RENAME_EXCHANGE = 2n
/** Size of `struct open_how` in bytes: flags, mode, and how to resolve the path. */
const HOW_BYTES = 24n
const O_PATH_CLOEXEC = 0o12000000n
/** No link of either kind is followed, and only names in memory are used. */
const RESOLVE_CACHED_ONLY = 0x02n | 0x04n | 0x20n
/** Basic fields, and the birth time. */
const STATX_WANTED = 0xfff

/** A name in a folder, by its descriptor. */
export interface NameAt {
  folder: number
  name: string
}

/**
 * System calls of the current thread, with checked arguments: a wrong descriptor, size or name is refused with a system
 * error, and memory of the caller is never given to the kernel. Calls block as their counterparts in `node:fs` do.
 * Throws system errors like those of `node:fs`.
 */
export class Kernel {
  readonly #native: Native
  readonly #statx: Statx
  readonly #stat: bigint
  readonly #name: bigint

  constructor(native: Native) {
    const { memory, at } = native
    this.#native = native
    this.#statx = new Statx(new DataView(memory.buffer, memory.byteOffset, memory.length), STAT)
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
   * Copies bytes of a file to another one, at the same offset.
   * @returns how many; 0 at the end of the file
   */
  copyRange(from: number, to: number, position: number, count: number): number {
    const { memory, calls, at } = this.#native
    const most = BigInt(size(count))
    const [source, target] = [valid(from), valid(to)]
    return this.#demand(() => {
      for (const offset of [OFFSET, OTHER_OFFSET]) memory.writeBigInt64LE(long(position), offset)
      return Number(calls.copy_file_range(source, at(OFFSET), target, at(OTHER_OFFSET), most, 0))
    })
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

  /**
   * The object with a name in a held folder, a link itself; `undefined` where there is none. Valid until the next call
   * of this thread.
   */
  statAt(folder: number, name: string): Statx | undefined {
    this.#writeName(name)
    const { calls } = this.#native
    if (calls.statx(valid(folder), this.#name, AT_SYMLINK_NOFOLLOW, STATX_WANTED, this.#stat) === 0) return this.#statx
    const error = this.#error()
    if (error.code === 'ENOENT') return undefined
    throw error
  }

  /** Visits the children of a folder that is open for reading, in no order. A folder that was removed has none. */
  eachChild(folder: number, visit: VisitChild): void {
    const { memory, calls, at } = this.#native
    const [open, most] = [valid(folder), BigInt(CHILDREN_BYTES)]
    for (;;) {
      const length = Number(calls.syscall(SYS_GETDENTS64, open, at(CHILDREN), most, 0n, 0n))
      if (length < 0) return this.#endOfChildren()
      if (length === 0) return
      visitEntries(memory.subarray(CHILDREN, CHILDREN + length), visit)
    }
  }

  /**
   * Opens an absolute path without its content (`O_PATH`), where the kernel has every name on it in memory and none is a
   * link: never waits for a disk. The caller closes the descriptor.
   * @returns `missing` where the kernel knows that there is nothing; `undefined` where the path has to be reached in
   *    another way, which also finds out about errors
   */
  openCached(path: NativePath): number | 'missing' | undefined {
    const { memory, calls, at } = this.#native
    const length = Buffer.byteLength(path)
    if (length > LONGEST_PATH || path.includes('\0') || !isAbsolute(path)) return undefined
    if (typeof path === 'string') memory.write(path, NAME)
    else memory.set(path, NAME)
    memory[NAME + length] = 0
    memory.writeBigUInt64LE(O_PATH_CLOEXEC, HOW)
    memory.writeBigUInt64LE(0n, HOW + 8)
    memory.writeBigUInt64LE(RESOLVE_CACHED_ONLY, HOW + 16)
    const descriptor = calls.syscall(SYS_OPENAT2, AT_FDCWD, this.#name, at(HOW), HOW_BYTES, 0n)
    if (descriptor >= 0n) return Number(descriptor)
    return this.#native.errno() === constants.errno.ENOENT ? 'missing' : undefined
  }

  /** Exchanges the objects of two names in held folders, in one step: neither name is ever missing. */
  exchange(one: NameAt, other: NameAt): void {
    this.#rename(one, other, RENAME_EXCHANGE)
  }

  /** Gives an object of any kind another name in one step, if that is free. @throws also EINVAL and ENOSYS, where the disk cannot */
  renameNew(one: NameAt, other: NameAt): void {
    this.#rename(one, other, RENAME_NOREPLACE)
  }

  /** Gives an open file a name in a held folder, the first one of a file without a name (`O_TMPFILE`). */
  link(file: number, to: NameAt): void {
    const { calls, at } = this.#native
    this.#writeName(to.name)
    this.#writeDescriptor(file)
    const [from, folder] = [at(DESCRIBED), BigInt(valid(to.folder))]
    this.#demand(() => Number(calls.syscall(SYS_LINKAT, AT_FDCWD, from, folder, this.#name, AT_SYMLINK_FOLLOW)))
  }

  #rename(one: NameAt, other: NameAt, flags: bigint): void {
    const { calls, at } = this.#native
    this.#writeName(one.name)
    this.#writeName(other.name, OTHER_NAME)
    const [from, to] = [valid(one.folder), BigInt(valid(other.folder))]
    this.#demand(() => Number(calls.syscall(SYS_RENAMEAT2, from, this.#name, to, at(OTHER_NAME), flags)))
  }

  /**
   * An extended attribute of an open object, also of one that is open without its content; `undefined` where it has none
   * of this name. More than `LARGEST_ATTRIBUTE` bytes are an error.
   */
  attribute(descriptor: number, name: string): Buffer | undefined {
    this.#writeAttribute(descriptor, name)
    const { memory, calls, at } = this.#native
    const length = calls.getxattr(at(DESCRIBED), at(ATTRIBUTE), at(NAME), BigInt(LARGEST_ATTRIBUTE))
    if (length >= 0n) return Buffer.from(memory.subarray(NAME, NAME + Number(length)))
    const error = this.#error()
    if (error.errno === -constants.errno.ENODATA) return undefined
    throw error
  }

  /** Sets an extended attribute of an open object. */
  setAttribute(descriptor: number, name: string, value: Buffer): void {
    if (value.length > LARGEST_ATTRIBUTE) throw systemError('ENOSPC')
    this.#writeAttribute(descriptor, name)
    const { memory, calls, at } = this.#native
    memory.set(value, NAME)
    this.#demand(() => calls.setxattr(at(DESCRIBED), at(ATTRIBUTE), at(NAME), BigInt(value.length), 0))
  }

  /** An object that is open without its content, or has no name, is reached by the path of its descriptor only. */
  #writeDescriptor(descriptor: number): void {
    this.#native.memory.write(`/proc/self/fd/${valid(descriptor)}\0`, DESCRIBED)
  }

  #writeAttribute(descriptor: number, name: string): void {
    const { memory } = this.#native
    if (!/^user\.[\w.]+$/.test(name) || name.length > LONGEST_ATTRIBUTE) throw systemError('EINVAL')
    this.#writeDescriptor(descriptor)
    memory.write(`${name}\0`, ATTRIBUTE)
  }

  /** Writes one name, no path, with a NUL at its end. */
  #writeName(name: string, at = NAME): void {
    const { memory } = this.#native
    if (name.includes('\0') || name.includes('/')) throw systemError('EINVAL')
    if (name.length > LONGEST_NAME) throw systemError('ENAMETOOLONG')
    const length = name.isWellFormed() ? memory.write(name, at) : Buffer.from(bytesOf(name)).copy(memory, at)
    memory[at + length] = 0
  }

  #endOfChildren(): void {
    const error = this.#error()
    if (error.code !== 'ENOENT') throw error
  }

  #demand(call: () => number): number {
    for (;;) {
      const result = call()
      if (result >= 0) return result
      const error = this.#error()
      if (error.code !== 'EINTR') throw error
    }
  }

  #error(): Error & { code: string; errno: number } {
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

/** Whether a path begins at the top; one in text also has to be writable as UTF-8. */
const isAbsolute = (path: NativePath): boolean =>
  typeof path === 'string' ? path.startsWith('/') && path.isWellFormed() : path[0] === 0x2f

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
