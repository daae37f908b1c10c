import type { Sharp } from 'sharp'
import { decode, demandSize } from './decoder.ts'
import type { Wish } from './renderer.ts'
import { readWhole, type Source } from './source.ts'

/** HEIF pictures in HEVC, which the decoder of other formats is built without; it takes the rest. */
export async function open(source: Source, { maxPixels }: Wish): Promise<Sharp> {
  const bytes = await readWhole(source)
  const { default: libheif } = await import('libheif-js/wasm-bundle.js')
  const decoder = new libheif.HeifDecoder()
  const [picture] = decoder.decode(bytes)
  if (!picture) throw new Error('no picture in it')
  const size = { width: picture.get_width(), height: picture.get_height() }
  demandSize(size, maxPixels)
  const data = new Uint8ClampedArray(size.width * size.height * 4)
  const shown = await new Promise(resolve => picture.display({ ...size, data }, resolve))
  if (!shown) throw new Error('a picture that is damaged')
  return decode(Buffer.from(data.buffer), { raw: { ...size, channels: 4 } })
}
