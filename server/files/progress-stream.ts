import { pipeline, type Readable, Transform } from 'node:stream'

/** The same bytes, told as they pass. */
export function counted(source: Readable, tell: (bytes: number) => void): Readable {
  const through = new Transform({
    readableHighWaterMark: source.readableHighWaterMark,
    writableHighWaterMark: source.readableHighWaterMark,
    transform(piece: Buffer, _encoding, done) {
      tell(piece.length)
      done(null, piece)
    },
  })
  return pipeline(source, through, () => {})
}
