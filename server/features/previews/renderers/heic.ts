import type { Sharp } from 'sharp'
import { decode, demandSize } from './decoder.ts'
import type { RenderOptions } from './renderer.ts'
import { readWhole, type Source } from './source.ts'

/** HEIF images with HEVC, which sharp is built without; sharp decodes the rest. */
export async function open(source: Source, { maxPixels }: RenderOptions): Promise<Sharp> {
  const bytes = await readWhole(source)
  const { default: libheif } = await import('libheif-js/wasm-bundle.js')
  const decoder = new libheif.HeifDecoder()
  const [image] = decoder.decode(bytes)
  if (!image) throw new Error('no image in the file')
  const size = { width: image.get_width(), height: image.get_height() }
  demandSize(size, maxPixels)
  const data = new Uint8ClampedArray(size.width * size.height * 4)
  const shown = await new Promise(resolve => image.display({ ...size, data }, resolve))
  if (!shown) throw new Error('a corrupt image')
  return decode(Buffer.from(data.buffer), { raw: { ...size, channels: 4 } })
}
