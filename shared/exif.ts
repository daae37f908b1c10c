import { readDirectories, readDirectoryAt, type TiffSource, type TiffValue } from './tiff.ts'

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
  lens: string | undefined
  /** Where it was taken, in degrees: north and east are positive. */
  place: { latitude: number; longitude: number } | undefined
}

/** Whether `exifOf` reads files of this name. */
export const mayHaveExif = (name: string): boolean =>
  /\.(?:jpe?g|hei[cf]|avif|tiff?|dng|cr2|nef|arw|orf|pef)$/i.test(name)

/** Length of the beginning of a file that is searched for the metadata, in bytes. */
export const EXIF_BYTES = 128 * 1024

/** The letters `Exif` and `ftyp`. */
const EXIF = 0x45786966
const FTYP = 0x66747970

/** Tags of TIFF 6.0 and of Exif 2.32, sections 4.6.3 to 4.6.5. */
const TAG = {
  make: 0x010f,
  model: 0x0110,
  orientation: 0x0112,
  exif: 0x8769,
  position: 0x8825,
  time: 0x829a,
  aperture: 0x829d,
  iso: 0x8827,
  taken: 0x9003,
  focalLength: 0x920a,
  lens: 0xa434,
} as const

/** Tags of the directory of the position: Exif 2.32, section 4.6.6. */
const POSITION = { northOrSouth: 1, latitude: 2, eastOrWest: 3, longitude: 4 } as const

/**
 * Reads the beginning of a JPEG or HEIF file, or of a TIFF-based one, as many raw formats are. `undefined` without
 * camera metadata.
 */
export async function exifOf(bytes: ArrayBuffer): Promise<Exif | undefined> {
  try {
    const tiff = tiffIn(new DataView(bytes))
    return tiff && (await read(tiff))
  } catch {
    // The data is shorter than its offsets and lengths claim, or has another structure.
    return undefined
  }
}

/** A time by the clock of a camera, whose time zone is unknown: `2024-05-01T12:34:56`. */
export function localTime(time: Date): string {
  const offset = time.getTimezoneOffset() * 60_000
  return new Date(time.getTime() - offset).toISOString().slice(0, 19)
}

/** How a JPEG or TIFF image is turned and mirrored: 1 to 8, as in Exif 2.32, 4.6.4; 1 where nothing says so. */
export async function orientationOf(bytes: ArrayBuffer): Promise<number> {
  try {
    const tiff = tiffIn(new DataView(bytes))
    const [first] = tiff ? await readDirectories(sourceOf(tiff), [TAG.orientation]) : []
    return first?.get(TAG.orientation)?.numbers[0] ?? 1
  } catch {
    return 1
  }
}

/** The TIFF structure: the whole file, the Exif segment of a JPEG, or the Exif item of a HEIF or AVIF file. */
function tiffIn(view: DataView): DataView | undefined {
  const order = view.getUint16(0)
  if (order === 0x4949 || order === 0x4d4d) return view
  if (view.getUint32(4) === FTYP) return exifItem(view)
  if (order !== 0xffd8) return undefined
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xda) return undefined
    if (marker === 0xe1 && view.getUint32(at + 4) === EXIF) {
      return new DataView(view.buffer, view.byteOffset + at + 10)
    }
  }
  return undefined
}

/** ISO/IEC 23008-12, annex A: the item begins with the offset of its TIFF structure, nearly always after `Exif\0\0`. */
function exifItem(view: DataView): DataView | undefined {
  for (let at = 8; at + 14 <= view.byteLength; at += 1) {
    if (view.getUint32(at) !== EXIF || view.getUint16(at + 4) !== 0) continue
    const order = view.getUint16(at + 6)
    if (order === 0x4949 || order === 0x4d4d) return new DataView(view.buffer, view.byteOffset + at + 6)
  }
  return undefined
}

const sourceOf = ({ buffer, byteOffset }: DataView): TiffSource => ({
  read: async (start, length) => new Uint8Array(buffer).subarray(byteOffset + start).subarray(0, length),
})

async function read(tiff: DataView): Promise<Exif | undefined> {
  const directories = await readDirectories(sourceOf(tiff), Object.values(TAG))
  const find = (tag: number) => directories.map(directory => directory.get(tag)).find(value => value !== undefined)
  const text = (tag: number) => find(tag)?.text ?? ''
  const number = (tag: number) => {
    const [first] = find(tag)?.numbers ?? []
    return first !== undefined && Number.isFinite(first) && first > 0 ? first : undefined
  }
  const [make, model] = [text(TAG.make), text(TAG.model)]
  const found: Exif = {
    camera: model.startsWith(make) ? model || undefined : `${make} ${model}`.trim(),
    taken: dateOf(text(TAG.taken)),
    time: number(TAG.time),
    aperture: number(TAG.aperture),
    iso: number(TAG.iso),
    focalLength: number(TAG.focalLength),
    lens: text(TAG.lens) || undefined,
    place: await placeIn(tiff, find(TAG.position)),
  }
  return Object.values(found).some(value => value !== undefined) ? found : undefined
}

async function placeIn(tiff: DataView, pointer: TiffValue | undefined): Promise<Exif['place']> {
  const start = pointer?.numbers[0]
  if (start === undefined) return undefined
  try {
    const position = await readDirectoryAt(sourceOf(tiff), start, Object.values(POSITION))
    const latitude = degrees(position.get(POSITION.latitude), position.get(POSITION.northOrSouth), 90)
    const longitude = degrees(position.get(POSITION.longitude), position.get(POSITION.eastOrWest), 180)
    return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }
  } catch {
    // Truncated; the other directories may be whole.
    return undefined
  }
}

/** From degrees, minutes and seconds. */
function degrees(value: TiffValue | undefined, letter: TiffValue | undefined, most: number): number | undefined {
  const [whole = Number.NaN, minutes = 0, seconds = 0] = value?.numbers ?? []
  const size = whole + minutes / 60 + seconds / 3600
  if (!(size <= most)) return undefined
  return letter?.text === 'S' || letter?.text === 'W' ? -size : size
}

/** `2024:05:01 12:34:56`. */
function dateOf(text: string): Date | undefined {
  const [year, month, day, ...time] = (text.match(/\d+/g) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined || year === 0) return undefined
  const [hour = 0, minute = 0, second = 0] = time
  return new Date(year, month - 1, day, hour, minute, second)
}
