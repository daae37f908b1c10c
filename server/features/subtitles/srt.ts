import { type Cue, cueText, linesOf, timeOf } from './cues.ts'

const TIMING =
  /^\s{0,20}(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[,.](\d{1,3})\s{0,20}-->\s{0,20}(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[,.](\d{1,3})/
/** Position tags of ASS, which often occur in this format. */
const MARKS = /\{\\[^{}]{0,100}\}/g

/** The cues of a SubRip file: a time line, then text up to a blank line. Numbers before it are ignored. */
export function readSrt(content: string): Cue[] {
  const cues: Cue[] = []
  let current: { start: number; end: number; lines: string[] } | undefined
  const close = () => {
    if (current) cues.push({ start: current.start, end: current.end, text: cueText(current.lines) })
    current = undefined
  }
  for (const line of linesOf(content)) {
    const time = line.includes('-->') ? TIMING.exec(line) : null
    if (time) {
      close()
      const [, h1, m1 = '', s1 = '', f1 = '', h2, m2 = '', s2 = '', f2 = ''] = time
      current = { start: timeOf(h1, m1, s1, f1), end: timeOf(h2, m2, s2, f2), lines: [] }
    } else if (line.trim() === '') close()
    else current?.lines.push(line.replace(MARKS, ''))
  }
  close()
  return cues
}
