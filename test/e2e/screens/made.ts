import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { zipSync } from 'fflate'

const RATE = 22_050
/** Semitones above A3. Each line is a chord, the notes of which enter one after the other. */
const CHORDS = [
  [0, 7, 12, 16, 19],
  [-4, 3, 8, 12, 15],
  [-7, 0, 5, 9, 12],
  [-2, 5, 10, 14, 17],
]
const CHORD_SECONDS = 2

/** A PDF of one page with a heading and lines of text, filled up with comments to about `size` bytes. */
export function pdfPage(title: string, lines: readonly string[], size = 0): string {
  const text = ['BT /F1 30 Tf 64 740 Td', `(${title}) Tj`, '/F1 13 Tf 0 -44 Td 20 TL']
  const content = [...text, ...lines.flatMap(line => [`(${line}) Tj`, 'T*']), 'ET'].join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  const filling = '% \n'.repeat(Math.max(0, Math.round((size - body.length) / 3)))
  return `%PDF-1.4\n${body}${filling}trailer\n<< /Root 1 0 R >>\n%%EOF\n`
}

/** A zip archive of files on the disk, stored without compression. */
export function zipOf(paths: readonly string[], modified: Date): Buffer {
  const files = Object.fromEntries(paths.map(path => [basename(path), new Uint8Array(readFileSync(path))]))
  return Buffer.from(zipSync(files, { level: 0, mtime: modified }))
}

/** A WAV file of plucked chords, mono, 16 bits, with a title and an artist; deterministic for a key. */
export function melody(title: string, artist: string, key: number): Buffer {
  const seconds = CHORDS.length * CHORD_SECONDS + 2
  const samples = new Float64Array(seconds * RATE)
  for (const [chord, notes] of CHORDS.entries())
    for (const [index, note] of notes.entries())
      pluck(samples, chord * CHORD_SECONDS + index * 0.28, 220 * 2 ** ((note + key) / 12))
  const sound = Buffer.alloc(samples.length * 2)
  for (const [index, value] of samples.entries()) sound.writeInt16LE(Math.round(Math.tanh(value) * 24_000), index * 2)
  const names = [field('INAM', title), field('IART', artist)]
  const parts = [format(RATE), chunk('LIST', Buffer.concat([Buffer.from('INFO'), ...names])), chunk('data', sound)]
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...parts]))
}

/** The header of a silent WAV file of `size` bytes, all others of which are zero. */
export function silence(size: number): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(size - 8, 4)
  head.write('WAVE', 8)
  format(44_100).copy(head, 12)
  head.write('data', 36)
  head.writeUInt32LE(size - 44, 40)
  return head
}

/** Adds a note that fades within two seconds. */
function pluck(samples: Float64Array, start: number, hertz: number): void {
  const from = Math.round(start * RATE)
  const to = Math.min(samples.length, from + 2 * RATE)
  for (let at = from; at < to; at++) {
    const time = (at - from) / RATE
    const tone = [1, 0.4, 0.15].reduce(
      (sum, share, n) => sum + share * Math.sin(2 * Math.PI * hertz * (n + 1) * time),
      0,
    )
    samples[at] = (samples[at] ?? 0) + 0.22 * tone * Math.min(1, time * 200) * Math.exp(-2.2 * time)
  }
}

/** The format of 16 bit mono. */
function format(rate: number): Buffer {
  const body = Buffer.alloc(16)
  body.writeUInt16LE(1, 0)
  body.writeUInt16LE(1, 2)
  body.writeUInt32LE(rate, 4)
  body.writeUInt32LE(rate * 2, 8)
  body.writeUInt16LE(2, 12)
  body.writeUInt16LE(16, 14)
  return chunk('fmt ', body)
}

function field(name: string, text: string): Buffer {
  const body = Buffer.from(`${text}\0`)
  return chunk(name, body.length % 2 === 0 ? body : Buffer.concat([body, Buffer.alloc(1)]))
}

function chunk(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 0, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}
