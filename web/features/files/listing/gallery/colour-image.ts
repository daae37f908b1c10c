import { COLOURS_SIDE } from '../../../../../shared/limits.ts'

/** Bytes before the pixels of a bitmap, and of a row, whose length is a multiple of four. */
const HEADER = 26
const ROW = Math.ceil((COLOURS_SIDE * 3) / 4) * 4

/**
 * The URL of a tiny bitmap of the colours of an image, which browsers blend as they enlarge it.
 * @param colours as in `PictureSizes`
 */
export function colourImage(colours: string): string {
  const rgb = atob(colours)
  const bytes = new Uint8Array(HEADER + ROW * COLOURS_SIDE)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, 0x424d)
  view.setUint32(2, bytes.length, true)
  view.setUint32(10, HEADER, true)
  view.setUint32(14, 12, true)
  view.setUint16(18, COLOURS_SIDE, true)
  view.setUint16(20, COLOURS_SIDE, true)
  view.setUint16(22, 1, true)
  view.setUint16(24, 24, true)
  for (let at = 0; at < rgb.length; at += 1) {
    const [pixel, channel] = [Math.floor(at / 3), at % 3]
    // A bitmap has its last row first, and blue before red.
    const row = COLOURS_SIDE - 1 - Math.floor(pixel / COLOURS_SIDE)
    bytes[HEADER + row * ROW + (pixel % COLOURS_SIDE) * 3 + 2 - channel] = rgb.charCodeAt(at)
  }
  return `data:image/bmp;base64,${btoa(String.fromCharCode(...bytes))}`
}
