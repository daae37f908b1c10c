import { pipeline, type Readable, Transform } from 'node:stream'

/** The same bytes; reports their count as they pass. */
export function countBytes(source: Readable, notify: (bytes: number) => void): Readable {
  const through = new Transform({
    readableHighWaterMark: source.readableHighWaterMark,
    writableHighWaterMark: source.readableHighWaterMark,
    transform(piece: Buffer, _encoding, done) {
      notify(piece.length)
      done(null, piece)
    },
  })
  return pipeline(source, through, () => {})
}
