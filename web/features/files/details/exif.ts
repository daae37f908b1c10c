/** Camera metadata of an image. */
export interface Exif {
  camera: string | undefined
  /** By the camera's clock, whose time zone is unknown: a local date and time. */
  taken: Date | undefined
  /** Seconds. */
  time: number | undefined
  aperture: number | undefined
  iso: number | undefined
  /** Millimetres. */
  focalLength: number | undefined
}

/** Length of the beginning of a file that is searched for the metadata, in bytes. */
export const EXIF_BYTES = 128 * 1024

/** Tags of TIFF 6.0 and of Exif 2.32, sections 4.6.4 to 4.6.6. */
const TAG = {
  make: 0x010f,
  model: 0x0110,
  exif: 0x8769,
  time: 0x829a,
  aperture: 0x829d,
  iso: 0x8827,
  taken: 0x9003,
  focalLength: 0x920a,
} as const

const MAX_ENTRIES = 512

/**
 * Reads the beginning of a JPEG file or of a TIFF-based one, as many raw formats are. `undefined` without camera
 * metadata.
 */
export function exifOf(bytes: ArrayBuffer): Exif | undefined {
  try {
    const tiff = tiffIn(new DataView(bytes))
    return tiff && read(tiff)
  } catch (error) {
    // The data is shorter than its offsets and lengths claim.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The TIFF structure: the whole file, or the Exif segment of a JPEG. */
function tiffIn(view: DataView): DataView | undefined {
  const order = view.getUint16(0)
  if (order === 0x4949 || order === 0x4d4d) return view
  if (order !== 0xffd8) return undefined
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xda) return undefined
    if (marker === 0xe1 && view.getUint32(at + 4) === 0x45786966) {
      return new DataView(view.buffer, view.byteOffset + at + 10)
    }
  }
  return undefined
}

type Entries = ReadonlyMap<number, Entry>

interface Entry {
  type: number
  count: number
  /** Offset of the value. */
  at: number
}

const WIDTHS: Readonly<Record<number, number>> = { 2: 1, 3: 2, 4: 4, 5: 8 }

function read(view: DataView): Exif | undefined {
  const little = view.getUint16(0) === 0x4949
  const first = entriesAt(view, view.getUint32(4, little), little)
  const start = first.get(TAG.exif)
  const exif = start ? entriesAt(view, view.getUint32(start.at, little), little) : first
  const number = (tag: number) => numberOf(view, exif.get(tag), little)
  const make = textOf(view, first.get(TAG.make))
  const model = textOf(view, first.get(TAG.model))
  const found: Exif = {
    camera: model.startsWith(make) ? model || undefined : `${make} ${model}`.trim(),
    taken: dateOf(textOf(view, exif.get(TAG.taken))),
    time: number(TAG.time),
    aperture: number(TAG.aperture),
    iso: number(TAG.iso),
    focalLength: number(TAG.focalLength),
  }
  return Object.values(found).some(value => value !== undefined) ? found : undefined
}

function entriesAt(view: DataView, start: number, little: boolean): Entries {
  const count = Math.min(view.getUint16(start, little), MAX_ENTRIES)
  const entries = new Map<number, Entry>()
  for (let at = start + 2; at < start + 2 + count * 12; at += 12) {
    const type = view.getUint16(at + 2, little)
    const length = view.getUint32(at + 4, little)
    const width = WIDTHS[type]
    if (width === undefined) continue
    const value = width * length <= 4 ? at + 8 : view.getUint32(at + 8, little)
    entries.set(view.getUint16(at, little), { type, count: length, at: value })
  }
  return entries
}

function textOf(view: DataView, entry: Entry | undefined): string {
  if (entry?.type !== 2) return ''
  const end = Math.min(entry.at + entry.count, view.byteLength)
  const bytes = new Uint8Array(view.buffer, view.byteOffset + entry.at, Math.max(0, end - entry.at))
  return (new TextDecoder().decode(bytes).split('\0')[0] ?? '').trim()
}

function numberOf(view: DataView, entry: Entry | undefined, little: boolean): number | undefined {
  if (!entry) return undefined
  const { type, at } = entry
  const value = type === 3 ? view.getUint16(at, little) : view.getUint32(at, little)
  const number = type === 5 ? value / view.getUint32(at + 4, little) : value
  return type !== 2 && Number.isFinite(number) && number > 0 ? number : undefined
}

/** `2024:05:01 12:34:56`. */
function dateOf(text: string): Date | undefined {
  const [year, month, day, ...time] = (text.match(/\d+/g) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined || year === 0) return undefined
  const [hour = 0, minute = 0, second = 0] = time
  return new Date(year, month - 1, day, hour, minute, second)
}
