import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** Sizes in pixels of the images in the icon for old browsers. */
const ICO_SIZES = [16, 32, 48]
const ICO_HEADER = 6
const ICO_ENTRY = 16

/** Emits the logo under the names that a host may override: as logo, and as icons of browsers and phones. */
export function brandPlugin(mark: string): Plugin {
  return {
    name: 'filigree:brand',
    apply: 'build',
    async generateBundle() {
      const drawing = readFileSync(mark, 'utf8')
      // Phones round the corners themselves.
      const square = drawing.replace(' rx="8"', '')
      const put = (fileName: string, source: string | Buffer) => this.emitFile({ type: 'asset', fileName, source })
      put('img/logo.svg', drawing)
      put('img/icons/favicon.svg', drawing)
      put('img/icons/favicon.ico', icoOf(await Promise.all(ICO_SIZES.map(size => png(drawing, size)))))
      put('img/icons/apple-touch-icon.png', await png(square, 180))
      put('img/icons/maskable-512x512.png', await png(masked(square), 512))
      for (const size of [192, 512]) put(`img/icons/android-chrome-${size}x${size}.png`, await png(drawing, size))
    },
  }
}

/** Systems cut icons to a shape of theirs; the middle four fifths always show (Web Application Manifest, W3C). */
const masked = (drawing: string) =>
  drawing
    .replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"')
    .replace('<rect ', '<rect x="-4" y="-4" ')
    .replace('width="32" height="32"', 'width="40" height="40"')

async function png(drawing: string, size: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  // Rendered at that size, not scaled up from 32.
  const sized = drawing.replace('<svg ', `<svg width="${size}" height="${size}" `)
  return sharp(Buffer.from(sized)).png({ compressionLevel: 9 }).toBuffer()
}

/** Images as one icon (ICO with PNG inside); their headers hold their widths. */
export function icoOf(pictures: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(ICO_HEADER + ICO_ENTRY * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [index, picture] of pictures.entries()) {
    const at = ICO_HEADER + ICO_ENTRY * index
    const [width, height] = [picture.readUInt32BE(16), picture.readUInt32BE(20)]
    head.writeUInt8(width % 256, at)
    head.writeUInt8(height % 256, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(picture.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += picture.length
  }
  return Buffer.concat([head, ...pictures])
}
