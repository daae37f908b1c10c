import { AppError } from '../../../errors.ts'
import { decompressed } from '../../codecs/codec-threads.ts'
import { isPlain, isSupported } from '../../codecs/coder-chain.ts'
import type { UnpackOptions } from '../../codecs/compression.ts'
import type { ByteSource } from '../../source.ts'
import { SIGNATURE_LENGTH } from './property-ids.ts'
import type { Block } from './streams.ts'

/** The files of a block, concatenated. @throws encrypted, unsupported, undecodable */
export async function* blockContent(
  source: ByteSource,
  { coders, encrypted, start, packed }: Block,
  options: UnpackOptions,
): AsyncGenerator<Uint8Array> {
  if (encrypted) throw new AppError('encrypted')
  if (!coders?.every(isSupported)) throw new AppError('unsupported', 'packed by an unsupported method')
  const bytes = source.stream(SIGNATURE_LENGTH + start, packed)
  if (coders.every(isPlain)) yield* bytes
  else yield* decompressed(bytes, { coders, packed }, options)
}
