import { buffer } from 'node:stream/consumers'
import { AppError } from '../errors.ts'
import type { OpenFile } from '../files/types.ts'

/** Random access to a file's bytes. */
export interface ByteSource {
  size: number
  /** Exactly these bytes. @throws undecodable when the file ends before */
  read(start: number, length: number): Promise<Buffer>
  /** `length` bytes in chunks. @throws undecodable when the file ends before */
  stream(start: number, length: number): AsyncIterable<Buffer>
}

/** The bytes of an open file, which stays open. */
export function sourceOf(file: OpenFile): ByteSource {
  const { size } = file.entry
  const demand = (start: number, length: number) => {
    if (start < 0 || length < 0 || start + length > size) throw corrupt()
  }
  return {
    size,
    async read(start, length) {
      demand(start, length)
      return length === 0 ? Buffer.alloc(0) : buffer(file.stream({ start, end: start + length - 1 }))
    },
    async *stream(start, length) {
      demand(start, length)
      if (length > 0) yield* file.stream({ start, end: start + length - 1 })
    },
  }
}

/** The error for a file that is not an archive, or is truncated. */
export const corrupt = (): AppError => new AppError('undecodable', 'not an archive, or a corrupt one')
