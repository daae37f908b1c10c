/** A text and when it is shown, in milliseconds from the start. */
export interface Cue {
  start: number
  end: number
  /** WebVTT cue text: escaped, with no tags but `b`, `i` and `u`, no blank line. */
  text: string
}

/** The lines of a text, with any kind of line break. */
export function linesOf(content: string): string[] {
  return content.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n')
}

/** Milliseconds of the parts of a time; the fraction may have one to three digits. */
export function timeOf(hours: string | undefined, minutes: string, seconds: string, fraction: string): number {
  const whole = (Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)
  return whole * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3))
}

/** Serializes WebVTT (W3C WebVTT, section 4). Cues without text, or that end before they start, are left out. */
export function writeVtt(cues: readonly Cue[]): string {
  const blocks = cues
    .filter(({ start, end, text }) => end > start && text !== '')
    .map(({ start, end, text }) => `${stamp(start)} --> ${stamp(end)}\n${text}\n`)
  return ['WEBVTT\n', ...blocks].join('\n')
}

function stamp(milliseconds: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const seconds = milliseconds / 1000
  const fraction = String(milliseconds % 1000).padStart(3, '0')
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${fraction}`
}

/** Tags that WebVTT has too; all others are removed. */
const TAG = /<(\/?[A-Za-z][^<>]{0,200})>/g
const KEPT = /^\/?[biu]$/i
/** Not those of character references in the source. */
const AMPERSAND = /&(?!(?:amp|lt|gt|nbsp|lrm|rlm);)/g

/** Lines of plain text with simple HTML tags as cue text. */
export function cueText(lines: readonly string[]): string {
  return lines
    .flatMap(line => line.split(/<br\s{0,10}\/?>/i))
    .map(line => cueLine(line).trim())
    .filter(line => line !== '')
    .join('\n')
}

function cueLine(line: string): string {
  const parts = line.split(TAG)
  return parts.map((part, index) => (index % 2 === 0 ? escapeText(part) : keepTag(part))).join('')
}

const keepTag = (tag: string) => (KEPT.test(tag) ? `<${tag.toLowerCase()}>` : '')

const escapeText = (text: string) => text.replace(AMPERSAND, '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
