/** Leading bytes of an image that are read for its size: enough for the metadata of cameras. */
export const RESOLUTION_BYTES = 256 * 1024

/** Size of an image in pixels as stored, before rotation. */
export interface Resolution {
  width: number
  height: number
}

type Reader = (head: DataView) => Resolution | undefined

const READERS: readonly Reader[] = [png, gif, webp, bmp, jpeg]

/**
 * The size of a PNG, GIF, WebP, BMP or JPEG image, from its header alone: nothing is decoded. `undefined` for anything
 * else, and where the header has no size within `RESOLUTION_BYTES`.
 */
export function resolutionOf(head: Uint8Array): Resolution | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  for (const read of READERS) {
    try {
      const found = read(view)
      if (found) return found.width > 0 && found.height > 0 ? found : undefined
    } catch (error) {
      // The header is truncated.
      if (!(error instanceof RangeError)) throw error
    }
  }
  return undefined
}

const says = (head: DataView, at: number, text: string) =>
  [...text].every((char, index) => head.getUint8(at + index) === char.charCodeAt(0))

function png(head: DataView): Resolution | undefined {
  if (!says(head, 0, '\x89PNG\r\n\x1a\n') || !says(head, 12, 'IHDR')) return undefined
  return { width: head.getUint32(16), height: head.getUint32(20) }
}

function gif(head: DataView): Resolution | undefined {
  if (!says(head, 0, 'GIF8')) return undefined
  return { width: head.getUint16(6, true), height: head.getUint16(8, true) }
}

function bmp(head: DataView): Resolution | undefined {
  if (!says(head, 0, 'BM')) return undefined
  // The oldest headers have 16-bit sizes; a negative height means top-down rows.
  if (head.getUint32(14, true) === 12) return { width: head.getUint16(18, true), height: head.getUint16(20, true) }
  return { width: head.getInt32(18, true), height: Math.abs(head.getInt32(22, true)) }
}

/** RFC 9649: one size for the canvas, or that of the only image, lossy or lossless. */
function webp(head: DataView): Resolution | undefined {
  if (!says(head, 0, 'RIFF') || !says(head, 8, 'WEBP')) return undefined
  if (says(head, 12, 'VP8X')) return { width: uint24(head, 24) + 1, height: uint24(head, 27) + 1 }
  if (says(head, 12, 'VP8L')) {
    const bits = head.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (!says(head, 12, 'VP8 ')) return undefined
  return { width: head.getUint16(26, true) & 0x3fff, height: head.getUint16(28, true) & 0x3fff }
}

const uint24 = (head: DataView, at: number) => head.getUint16(at, true) | (head.getUint8(at + 2) << 16)

/** Walks the segments up to the frame header (ISO/IEC 10918-1, B.1). */
function jpeg(head: DataView): Resolution | undefined {
  if (head.getUint16(0) !== 0xffd8) return undefined
  for (let at = 2; head.getUint8(at) === 0xff; ) {
    const marker = head.getUint8(at + 1)
    if (marker === 0xff) at += 1
    else if (isFrame(marker)) return { width: head.getUint16(at + 7), height: head.getUint16(at + 5) }
    else if (marker === 0xda || marker === 0xd9) return undefined
    else at += isBare(marker) ? 2 : 2 + Math.max(2, head.getUint16(at + 2))
  }
  return undefined
}

/** Frame headers are 0xC0 to 0xCF, except three tables among them. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Markers without a segment. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
