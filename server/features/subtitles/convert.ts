import { extensionOf } from '../../../shared/path.ts'
import { readAss } from './ass.ts'
import { type Cue, writeVtt } from './cues.ts'
import { readSrt } from './srt.ts'

/** How each kind becomes WebVTT; one that has no reader is WebVTT already. */
const READERS: Readonly<Record<string, ((content: string) => Cue[]) | undefined>> = {
  '.srt': readSrt,
  '.ass': readAss,
  '.ssa': readAss,
  '.vtt': undefined,
}

/** Whether a name is one of a subtitle file. */
export const isSubtitle = (name: string): boolean => Object.hasOwn(READERS, extensionOf(name).toLowerCase())

/** The content of a subtitle file as WebVTT. What cannot be understood shows nothing. */
export function toVtt(name: string, content: Buffer): Buffer {
  const read = READERS[extensionOf(name).toLowerCase()]
  return read ? Buffer.from(writeVtt(read(decode(content)))) : content
}

/** Text by its byte order mark, else UTF-8, else the encoding that old files of the west are in. */
function decode(content: Buffer): string {
  const [first, second] = content
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(content)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(content)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('windows-1252').decode(content)
  }
}
