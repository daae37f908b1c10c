import { extensionOf } from '../../../shared/path.ts'
import { decodeText } from '../../file-types/text-detection.ts'
import { readAss } from './ass.ts'
import { type Cue, writeVtt } from './cues.ts'
import { readSrt } from './srt.ts'

/** The parser of each format; WebVTT has none. */
const READERS: Readonly<Record<string, ((content: string) => Cue[]) | undefined>> = {
  '.srt': readSrt,
  '.ass': readAss,
  '.ssa': readAss,
  '.vtt': undefined,
}

/** Whether a name is that of a subtitle file. */
export const isSubtitle = (name: string): boolean => Object.hasOwn(READERS, extensionOf(name).toLowerCase())

/** The content of a subtitle file as WebVTT. Invalid content shows nothing. */
export function toVtt(name: string, content: Buffer): Buffer {
  const read = READERS[extensionOf(name).toLowerCase()]
  return read ? Buffer.from(writeVtt(read(decodeText(content)))) : content
}
