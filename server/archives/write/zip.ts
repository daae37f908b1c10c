import { crc32 } from 'node:zlib'
import { ChunkBuffer } from './coalesce.ts'
import type { Member } from './entries.ts'
import { RecordStore } from './record-store.ts'
import { exactly } from './tar.ts'
import { centralRecord, descriptor, endRecords, localHeader } from './zip-records.ts'

/**
 * A zip archive, streamed; a chunk is valid until the next one is requested, and members until the next group is.
 * Content is stored uncompressed, followed by its checksum, which is only known then. ZIP64 fields are written where
 * needed.
 */
export async function* zip(groups: AsyncIterable<readonly Member[]>): AsyncGenerator<Uint8Array> {
  const directory = new RecordStore()
  const few = new ChunkBuffer()
  let offset = 0
  let count = 0
  for await (const members of groups) {
    for (const member of members) {
      const { content, size } = member
      const head = localHeader(member)
      for (const out of few.add(head)) yield out
      let crc = 0
      if (content instanceof Uint8Array) {
        crc = crc32(content)
        for (const out of few.add(content)) yield out
      } else {
        for (const out of few.rest()) yield out
        for await (const chunk of exactly(size, content())) {
          crc = crc32(chunk, crc)
          yield chunk
        }
      }
      const tail = descriptor(member, crc)
      for (const out of few.add(tail)) yield out
      directory.add(centralRecord(member, crc, offset))
      offset += head.length + size + tail.length
      count++
    }
    for (const out of few.rest()) yield out
  }
  yield* directory.records()
  yield endRecords(count, directory.length, offset)
}

/** The length in bytes of the archive that `zip` makes, counted member by member: very many take a while. */
export class ZipLength {
  #offset = 0
  #directory = 0
  #count = 0

  add(member: Member): void {
    this.#directory += centralRecord(member, 0, this.#offset).length
    this.#offset += localHeader(member).length + member.size + descriptor(member, 0).length
    this.#count++
  }

  get total(): number {
    const end = endRecords(this.#count, this.#directory, this.#offset)
    return this.#offset + this.#directory + end.length
  }
}
