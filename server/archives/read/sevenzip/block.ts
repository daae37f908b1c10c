import { AppError } from '../../../errors.ts'
import { isPlain, knows } from '../../codecs/coder-chain.ts'
import type { UnpackOptions } from '../../codecs/compression.ts'
import { unpackedApart } from '../../codecs/decode-thread.ts'
import type { ByteSource } from '../../source.ts'
import { SIGNATURE_LENGTH } from './property-ids.ts'
import type { Block } from './streams.ts'

/** All files of a block, one behind the other. @throws encrypted, unsupported, undecodable */
export async function* blockContent(
  source: ByteSource,
  { coders, encrypted, start, packed }: Block,
  options: UnpackOptions,
): AsyncGenerator<Uint8Array> {
  if (encrypted) throw new AppError('encrypted')
  if (!coders?.every(knows)) throw new AppError('unsupported', 'packed by a method that is not known')
  const bytes = source.stream(SIGNATURE_LENGTH + start, packed)
  if (coders.every(isPlain)) yield* bytes
  else yield* unpackedApart(bytes, { coders, packed }, options)
}
