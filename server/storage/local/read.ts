import { constants } from 'node:fs'
import { Readable } from 'node:stream'
import { encodeName } from '../../../shared/bytes.ts'
import { type FilePath, segmentsOf } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { ByteRange, OpenFile } from '../driver.ts'
import { translating } from './errno.ts'
import { FileDescriptor } from './file-descriptor.ts'
import { type Handle, reopen } from './handle.ts'
import type { Kernel } from './kernel/kernel.ts'
import { passing } from './kernel/pass.ts'
import { locate, pathInside, type Scope } from './resolve-path.ts'
import { entryOf, isLinkAt } from './stat.ts'

/** Bytes per read: large enough to reach the disk's speed, small enough for many concurrent readers. */
const CHUNK = 256 * 1024

/** Opens a file for reading; see the driver contract. */
export async function openRead(scope: Scope, path: FilePath): Promise<OpenFile> {
  const { handle, canonical, rest } = await locate(scope, path)
  try {
    if (rest.length > 0) throw new AppError('not_found')
    demandFile(handle)
    const isLink = await isLinkAt(scope, path, canonical)
    const { descriptor, stat } = await translating(() => reopen(handle, constants.O_RDONLY | constants.O_NONBLOCK))
    const file = new FileDescriptor(descriptor, handle.real)
    const place = placeOf(scope, handle.real)
    return {
      ...openFile(file, entryOf(path, canonical, { stat }, isLink), scope.kernel),
      ...(place !== undefined && { place }),
    }
  } finally {
    handle.close()
  }
}

/** The proxy's path of a real path. */
function placeOf({ proxied }: Scope, real: string): string | undefined {
  const path = proxied && pathInside(proxied.root, real)
  return path && proxied.at + segmentsOf(path).map(encodeName).join('/')
}

/** @throws is_a_folder, special_file */
export function demandFile(handle: Pick<Handle, 'stat'>): void {
  if (handle.stat.isDirectory()) throw new AppError('is_a_folder')
  if (!handle.stat.isFile()) throw new AppError('special_file')
}

function openFile(file: FileDescriptor, entry: OpenFile['entry'], kernel: Kernel | undefined): OpenFile {
  return {
    entry,
    descriptor: file.descriptor,
    read: (into, position) => readAt(file, into, position),
    ...(kernel && { passTo: socket => passing(kernel, file, socket) }),
    stream: (range = { start: 0, end: entry.size - 1 }) => streamOf(file, range),
    close: () => file.close(),
  }
}

/**
 * The bytes of a range. A file that shrinks during the read ends the stream with an error, so that a part is not
 * mistaken for the whole; appended bytes are not sent.
 */
function streamOf(file: FileDescriptor, { start, end }: ByteRange): Readable {
  let position = start
  return new Readable({
    // Two chunks: one is sent while the next is read.
    highWaterMark: 2 * CHUNK,
    read() {
      const length = Math.min(CHUNK, end + 1 - position)
      if (length <= 0) {
        this.push(null)
        return
      }
      const buffer = Buffer.allocUnsafeSlow(length)
      readAt(file, buffer, position).then(
        count => {
          position += count
          this.push(buffer.subarray(0, count))
        },
        (thrown: Error) => this.destroy(thrown),
      )
    },
  })
}

async function readAt(file: FileDescriptor, into: Buffer, position: number): Promise<number> {
  const bytesRead = await translating(() => file.read(into, position))
  if (bytesRead === 0) throw new AppError('unavailable', 'the file was truncated while it was read')
  return bytesRead
}
