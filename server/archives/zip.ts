import { crc32 } from 'node:zlib'
import { FewPieces } from './coalesce.ts'
import type { Member } from './entries.ts'
import { RecordStore } from './record-store.ts'
import { exactly } from './tar.ts'
import { centralRecord, descriptor, endRecords, localHeader } from './zip-records.ts'

/**
 * A zip archive as it is made; a piece is good until the next one is asked for, and members until the next group is.
 * Content is stored as it is; its checksum follows it, because it is only known then. ZIP64 fields appear where they are
 * needed.
 */
export async function* zip(groups: AsyncIterable<readonly Member[]>): AsyncGenerator<Uint8Array> {
  const directory = new RecordStore()
  const few = new FewPieces()
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
        for await (const piece of exactly(size, content())) {
          crc = crc32(piece, crc)
          yield piece
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

/** Bytes of the archive that `zip` makes of some members, counted one after the other: of very many it takes a while. */
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
