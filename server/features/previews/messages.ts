import * as z from 'zod/mini'
import { Colours } from '../../../shared/api/picture-sizes.ts'
import { PREVIEW_SIZES } from '../../../shared/api/previews.ts'
import { MAX_IMAGE_BYTES } from '../../../shared/limits.ts'
import { MAX_PREVIEW_BYTES } from './limits.ts'

/** The first byte of a process, when it is ready for work. */
export const READY = 1

/** The size limit of a header in bytes. */
const MAX_HEAD = 4096

/** The request to a process; the process then requests the bytes it needs. */
export const Job = z.object({
  renderer: z.string(),
  size: z.enum(PREVIEW_SIZES),
  /** Size of the file in bytes. */
  length: z.int().check(z.nonnegative()),
  /** Where the process may open the file itself; it requests bytes when it cannot. */
  file: z.optional(z.string()),
  /** The most pixels of an image that may be decoded. */
  maxPixels: z.int().check(z.positive()),
})
export type Job = z.infer<typeof Job>

/** A range of the file that a process requests; it sends nothing else until the bytes arrive. */
const ReadHead = z.object({
  kind: z.literal('read'),
  start: z.int().check(z.nonnegative()),
  length: z.int().check(z.positive(), z.maximum(MAX_IMAGE_BYTES)),
})
export type ReadHead = z.infer<typeof ReadHead>

/**
 * Sent before and after a process reads the file itself, so that a slow disk does not count as a slow image; not for
 * the first read, with which it begins.
 */
const Progress = z.union([z.object({ kind: z.literal('reading') }), z.object({ kind: z.literal('has_read') })])
export type Progress = z.infer<typeof Progress>

const AnswerHead = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('picture'),
    /** The only types there are: a compromised process cannot name another. */
    type: z.enum(['image/jpeg', 'image/png', 'image/webp']),
    length: z.int().check(z.nonnegative(), z.maximum(MAX_PREVIEW_BYTES)),
    /** Of previews for galleries, as in `PictureSizes`. */
    colours: z.optional(Colours),
  }),
  z.object({ kind: z.literal('as_is') }),
  z.object({ kind: z.literal('refused'), code: z.enum(['body_too_large', 'encrypted', 'undecodable']) }),
])
type AnswerHead = z.infer<typeof AnswerHead>
const Reply = z.union([Progress, AnswerHead, ReadHead])
type ImageHead = Extract<AnswerHead, { kind: 'picture' }>

/** A preview; or the advice to send the file itself; or the reason why there is neither. */
export type Answer = (Omit<ImageHead, 'length'> & { bytes: Buffer }) | Exclude<AnswerHead, ImageHead>
export type ImageType = ImageHead['type']

/** A header as sent: its length in four bytes, then JSON. */
export function packHead(head: Job | ReadHead | Progress | AnswerHead): Buffer {
  const json = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  return Buffer.concat([length, json])
}

/** An answer as sent and as cached. */
export function packAnswer(answer: Answer): Buffer {
  if (answer.kind !== 'picture') return packHead(answer)
  const { bytes, ...head } = answer
  return Buffer.concat([packHead({ ...head, length: bytes.length }), bytes])
}

/** @throws Error when the data is not an answer */
export async function readAnswer(reader: ByteReader): Promise<Answer> {
  return answerOf(AnswerHead.parse(await readHead(reader)), reader)
}

/** A message of a process during its work. @throws Error for any other data */
export async function readReply(reader: ByteReader): Promise<Answer | ReadHead | Progress> {
  const head = Reply.parse(await readHead(reader))
  return head.kind === 'picture' ? answerOf(head, reader) : head
}

async function answerOf(head: AnswerHead, reader: ByteReader): Promise<Answer> {
  if (head.kind !== 'picture') return head
  const { length, ...rest } = head
  return { ...rest, bytes: await reader.take(length) }
}

/** @throws Error when the data is not a job, or the stream ends */
export async function readJob(reader: ByteReader): Promise<Job> {
  return Job.parse(await readHead(reader))
}

async function readHead(reader: ByteReader): Promise<unknown> {
  const length = (await reader.take(4)).readUInt32LE()
  if (length > MAX_HEAD) throw new Error('no head')
  return JSON.parse((await reader.take(length)).toString())
}

/** Reads exact numbers of bytes from a stream. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]()
  }

  /** The next bytes. @throws Error when the stream ends before */
  async take(length: number): Promise<Buffer> {
    const taken = Buffer.allocUnsafeSlow(length)
    for (let filled = 0; filled < length; ) {
      if (this.#rest.length === 0) this.#rest = await this.#next()
      const copied = this.#rest.copy(taken, filled)
      this.#rest = this.#rest.subarray(copied)
      filled += copied
    }
    return taken
  }

  async #next(): Promise<Buffer> {
    const { done, value } = await this.#chunks.next()
    if (done) throw new Error('the other side ended')
    return value
  }
}
