/** Raw files of cameras around a JPEG; without sensor data. */

type Entry = readonly [tag: number, type: 1 | 3 | 4, ...values: number[]]
const WIDTH = { 1: 1, 3: 2, 4: 4 } as const

/** A TIFF directory at an offset in a little-endian file; every value fits into its entry. */
function directory(entries: readonly Entry[], next = 0): Buffer {
  const bytes = Buffer.alloc(2 + entries.length * 12 + 4)
  bytes.writeUInt16LE(entries.length)
  for (const [index, [tag, type, ...values]] of entries.entries()) {
    const at = 2 + index * 12
    bytes.writeUInt16LE(tag, at)
    bytes.writeUInt16LE(type, at + 2)
    bytes.writeUInt32LE(values.length, at + 4)
    for (const [n, value] of values.entries()) bytes.writeUIntLE(value, at + 8 + n * WIDTH[type], WIDTH[type])
  }
  bytes.writeUInt32LE(next, bytes.length - 4)
  return bytes
}

const TIFF = Buffer.from('49492a0008000000', 'hex')
/** A lossless JPEG of the size of a sensor, which only raw developers read. */
const SENSOR = Buffer.from('ffd8ffc3000b080fa01770011100ffd9', 'hex')

/** DNG, NEF: sensor data and a preview in directories below the first. */
export function withSubDirectories(jpeg: Buffer, orientation = 1): Buffer {
  const each = directory(Array.from({ length: 3 }, () => [0, 3, 0])).length
  const [raw, shown, sensor] = [8 + each, 8 + 2 * each, 8 + 3 * each]
  const list = sensor + SENSOR.length
  const start = list + 8
  const places = Buffer.alloc(8)
  places.writeUInt32LE(raw)
  places.writeUInt32LE(shown, 4)
  const main = directory([
    [0x0112, 3, orientation],
    [0x0103, 3, 1],
    [0x014a, 4, list],
  ])
  main.writeUInt32LE(2, 2 + 2 * 12 + 4)
  return Buffer.concat([
    TIFF,
    main,
    directory([
      [0x0103, 3, 7],
      [0x0111, 4, sensor],
      [0x0117, 4, SENSOR.length],
    ]),
    directory([
      [0x0103, 3, 7],
      [0x0111, 4, start],
      [0x0117, 4, jpeg.length],
    ]),
    SENSOR,
    places,
    jpeg,
  ])
}

/** CR2: the preview in the first directory, sensor data in the next. */
export function asCr2(jpeg: Buffer, orientation = 1): Buffer {
  const entries = (start: number, length: number): Entry[] => [
    [0x0103, 3, 6],
    [0x0111, 4, start],
    [0x0112, 3, orientation],
    [0x0117, 4, length],
  ]
  const size = directory(entries(0, 0)).length
  const start = 8 + 2 * size
  return Buffer.concat([
    TIFF,
    directory(entries(start, jpeg.length), 8 + size),
    directory(entries(start + jpeg.length, SENSOR.length)),
    jpeg,
    SENSOR,
  ])
}

/** RAF: the header has the offset of the preview. */
export function asRaf(jpeg: Buffer): Buffer {
  const head = Buffer.alloc(160)
  head.write('FUJIFILMCCD-RAW 0201FF389501')
  head.writeUInt32BE(head.length, 84)
  head.writeUInt32BE(jpeg.length, 88)
  return Buffer.concat([head, jpeg, SENSOR])
}

/** CR3: boxes, the preview in one of Canon's own. */
export function asCr3(jpeg: Buffer, orientation = 1): Buffer {
  const box = (type: string, ...content: Buffer[]) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0))
    head.write(type, 4)
    return Buffer.concat([head, ...content])
  }
  const notes = Buffer.concat([TIFF, directory([[0x0112, 3, orientation]])])
  const size = Buffer.alloc(16)
  size.writeUInt32BE(jpeg.length, 12)
  return Buffer.concat([
    box('ftyp', Buffer.from('crx \0\0\0\x01crx isom', 'latin1')),
    box('moov', box('uuid', Buffer.from('85c0b687820f11e08111f4ce462b6a48', 'hex'), box('CMT1', notes))),
    box('uuid', Buffer.from('eaf42b5e1c984b88b9fbb7dc406e4d16', 'hex'), Buffer.alloc(8), box('PRVW', size, jpeg)),
    box('mdat', SENSOR),
  ])
}

/** A file whose preview only the vendor's maker notes reference. */
export const withHiddenImage = (jpeg: Buffer): Buffer =>
  Buffer.concat([Buffer.from('4949524f08000000', 'hex'), directory([[0x0112, 3, 1]]), Buffer.alloc(200), jpeg, SENSOR])
