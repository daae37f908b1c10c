import { crc32 } from 'node:zlib'
import { AppError } from '../../../errors.ts'
import type { Semaphore } from '../../../lib/limit.ts'
import { ChunkReader } from '../../byte-reader.ts'
import type { UnpackOptions } from '../../codecs/compression.ts'
import { type ByteSource, corrupt } from '../../source.ts'
import type { OpenedArchive, ReadMember } from '../members.ts'
import { blockContent } from './block.ts'
import { readDirectory, type SevenDirectory } from './directory.ts'
import type { SevenFile } from './files.ts'
import type { Part } from './streams.ts'

/** A 7z archive, read by the header at its end (7z format). */
export function openSeven(source: ByteSource, semaphore: Semaphore): OpenedArchive {
  let directory: Promise<SevenDirectory> | undefined
  const read = (signal: AbortSignal) => {
    directory ??= readDirectory(source, { semaphore, signal })
    return directory
  }
  return {
    async *members(signal) {
      yield* membersOf(source, await read(signal), { semaphore, signal })
    },
    async survey(signal) {
      const { parts, files } = await read(signal)
      return { bytes: parts.reduce((sum, { size }) => sum + size, 0), members: files.length }
    },
  }
}

async function* membersOf(
  source: ByteSource,
  { blocks, parts, files }: SevenDirectory,
  options: UnpackOptions,
): AsyncGenerator<ReadMember> {
  const blocksReader = new BlocksReader(source, { blocks, parts, files }, options)
  let filled = 0
  try {
    for (const [number, file] of files.entries()) {
      options.signal.throwIfAborted()
      const part = file.filled ? parts[filled++] : undefined
      yield memberOf(number, file, part, blocksReader)
    }
  } finally {
    await blocksReader.close()
  }
}

function memberOf(number: number, file: SevenFile, part: Part | undefined, reader: BlocksReader): ReadMember {
  const { name, kind, modified, mode } = file
  return {
    number,
    name,
    kind,
    size: part?.size ?? 0,
    modified,
    mode,
    encrypted: part !== undefined && reader.isEncrypted(part),
    content: () => (part ? reader.content(part) : nothing()),
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Decompresses one block at a time, as long as its files are requested in order. */
class BlocksReader {
  readonly #source: ByteSource
  readonly #directory: SevenDirectory
  readonly #options: UnpackOptions
  #open: { block: number; reader: ChunkReader } | undefined

  constructor(source: ByteSource, directory: SevenDirectory, options: UnpackOptions) {
    this.#source = source
    this.#directory = directory
    this.#options = options
  }

  isEncrypted({ block }: Part): boolean {
    return this.#directory.blocks[block]?.encrypted ?? false
  }

  /** @throws undecodable, unsupported, encrypted */
  async *content(part: Part): AsyncGenerator<Uint8Array> {
    const reader = await this.#readerOf(part.block)
    if (reader.at > part.offset) throw new AppError('internal', 'the files of a block must be read in order')
    await reader.skip(part.offset - reader.at)
    let crc = 0
    for await (const chunk of reader.pass(part.size)) {
      crc = crc32(chunk, crc)
      yield chunk
    }
    if (part.crc !== undefined && part.crc !== crc) throw corrupt()
  }

  async close(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    await open?.reader.close()
  }

  async #readerOf(block: number): Promise<ChunkReader> {
    if (this.#open?.block === block) return this.#open.reader
    await this.close()
    const stored = this.#directory.blocks[block]
    if (!stored) throw corrupt()
    const reader = new ChunkReader(blockContent(this.#source, stored, this.#options))
    this.#open = { block, reader }
    return reader
  }
}
