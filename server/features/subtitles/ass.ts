import { type Cue, cueText, linesOf, timeOf } from './cues.ts'

const TIME = /^\s*(\d{1,4}):(\d{1,2}):(\d{1,2})[.:](\d{1,3})\s*$/
/** The fields of a file without a format line (Sub Station Alpha v4). */
const USUAL_FORMAT = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text']
const BLOCK = /\{[^{}]*\}/g
/** Starts a drawing: lines and curves follow, not text. */
const DRAWING = /\{[^{}]*\\p[1-9][^{}]*\}/

/** The cues of an Advanced SubStation Alpha (or SSA) file in the order they are shown; styles are dropped. */
export function readAss(content: string): Cue[] {
  const cues: Cue[] = []
  let format = USUAL_FORMAT
  let inEvents = false
  for (const line of linesOf(content)) {
    if (line === '') continue
    const section = /^\s*\[([^\]]{1,50})\]/.exec(line)?.[1]
    if (section !== undefined) inEvents = section.trim().toLowerCase() === 'events'
    if (!inEvents) continue
    const [, kind = '', rest = ''] = /^\s*(format|dialogue)\s*:(.*)$/i.exec(line) ?? []
    if (kind.toLowerCase() === 'format') format = rest.split(',').map(name => name.trim().toLowerCase())
    const cue = kind.toLowerCase() === 'dialogue' ? readDialogue(rest, format) : undefined
    if (cue) cues.push(cue)
  }
  return cues.sort((a, b) => a.start - b.start)
}

/** The text is the last field and may contain commas. */
function readDialogue(line: string, format: readonly string[]): Cue | undefined {
  const parts = line.split(',')
  const fields = parts.slice(0, format.length - 1)
  const text = parts.slice(format.length - 1).join(',')
  const start = readTime(fields[format.indexOf('start')])
  const end = readTime(fields[format.indexOf('end')])
  if (start === undefined || end === undefined || DRAWING.test(text)) return undefined
  const words = text.replace(BLOCK, '').replaceAll('\\h', '\u00A0')
  // Angle brackets have no meaning in this format.
  return { start, end, text: cueText(words.split(/\\[Nn]/).map(part => part.replaceAll('<', '&lt;'))) }
}

function readTime(field: string | undefined): number | undefined {
  const time = TIME.exec(field ?? '')
  if (!time) return undefined
  const [, hours, minutes = '', seconds = '', fraction = ''] = time
  return timeOf(hours, minutes, seconds, fraction)
}
