import { crc32 } from 'node:zlib'
import type { Member } from './members.ts'
import { RecordStore } from './record-store.ts'
import { exactly } from './tar.ts'
import { centralRecord, descriptor, endRecords, localHeader } from './zip-records.ts'

/**
 * A zip archive as it is made. Content is stored as it is; its checksum follows it, because it is only known then.
 * ZIP64 fields appear where they are needed.
 */
export async function* zip(members: AsyncIterable<Member>): AsyncGenerator<Uint8Array> {
  const directory = new RecordStore()
  let offset = 0
  let count = 0
  for await (const member of members) {
    const head = localHeader(member)
    yield head
    let crc = 0
    for await (const piece of exactly(member.size, member.content())) {
      crc = crc32(piece, crc)
      yield piece
    }
    const tail = descriptor(member, crc)
    if (tail.length > 0) yield tail
    directory.add(centralRecord(member, crc, offset))
    offset += head.length + member.size + tail.length
    count++
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
