/** An audio or video codec. */
interface Codec {
  /** Its display name. */
  name: string
  /** Type to query a browser for; none if no browser plays it. */
  probe?: string
}

const mp4 = (kind: 'video' | 'audio', codec: string) => `${kind}/mp4; codecs="${codec}"`

const HEVC: Codec = { name: 'HEVC (H.265)', probe: mp4('video', 'hvc1.1.6.L93.B0') }
const H264: Codec = { name: 'H.264', probe: mp4('video', 'avc1.42E01E') }
const AV1: Codec = { name: 'AV1', probe: mp4('video', 'av01.0.04M.08') }
const AC3: Codec = { name: 'AC-3', probe: mp4('audio', 'ac-3') }
const EAC3: Codec = { name: 'E-AC-3', probe: mp4('audio', 'ec-3') }
const AAC: Codec = { name: 'AAC', probe: mp4('audio', 'mp4a.40.2') }
const ALAC: Codec = { name: 'ALAC', probe: mp4('audio', 'alac') }
const MP3: Codec = { name: 'MP3', probe: 'audio/mpeg' }
const OPUS: Codec = { name: 'Opus', probe: 'audio/webm; codecs="opus"' }
const VP8: Codec = { name: 'VP8', probe: 'video/webm; codecs="vp8"' }
const VP9: Codec = { name: 'VP9', probe: 'video/webm; codecs="vp9"' }
const FLAC: Codec = { name: 'FLAC', probe: 'audio/flac' }
const VORBIS: Codec = { name: 'Vorbis', probe: 'audio/webm; codecs="vorbis"' }
const DTS: Codec = { name: 'DTS' }
const MPEG4: Codec = { name: 'MPEG-4 Part 2' }

/** By the identifier in the file: sample entries of MP4 and MOV, codec names of Matroska, FourCCs of AVI. */
const CODECS: Readonly<Record<string, Codec>> = {
  hvc1: HEVC,
  hev1: HEVC,
  avc1: H264,
  avc3: H264,
  av01: AV1,
  mp4v: MPEG4,
  apch: { name: 'ProRes' },
  apcn: { name: 'ProRes' },
  'ac-3': AC3,
  'ec-3': EAC3,
  mp4a: AAC,
  alac: ALAC,
  'V_MPEGH/ISO/HEVC': HEVC,
  'V_MPEG4/ISO/AVC': H264,
  'V_MPEG4/ISO/ASP': MPEG4,
  V_MPEG2: { name: 'MPEG-2' },
  V_AV1: AV1,
  V_VP8: VP8,
  V_VP9: VP9,
  A_OPUS: OPUS,
  A_VORBIS: VORBIS,
  A_FLAC: FLAC,
  'A_MPEG/L3': MP3,
  A_AC3: AC3,
  A_EAC3: EAC3,
  A_AAC: AAC,
  A_DTS: DTS,
  A_TRUEHD: { name: 'TrueHD' },
  XVID: MPEG4,
  DIVX: MPEG4,
  DX50: MPEG4,
  MP42: { name: 'MS MPEG-4' },
  WMV3: { name: 'WMV' },
}

/** Containers by what a file begins with, one character per byte. */
const CONTAINERS: readonly [name: string, begin: RegExp][] = [
  ['QuickTime (MOV)', /^.{4}ftypqt/s],
  ['MP4', /^.{4}ftyp/s],
  ['WebM', /^\x1aE\xdf\xa3.{0,64}webm/s],
  ['Matroska (MKV)', /^\x1aE\xdf\xa3/],
  ['AVI', /^RIFF.{4}AVI /s],
  ['WAV', /^RIFF.{4}WAVE/s],
  ['Windows Media (ASF)', /^0&\xb2u\x8ef\xcf\x11/],
  ['Flash Video (FLV)', /^FLV\x01/],
  ['Ogg', /^OggS/],
  ['FLAC', /^fLaC/],
  ['MPEG-PS', /^\0\0\x01\xba/],
  ['MPEG-TS', /^G.{187}G/s],
]

/** The container of a file. @param head one character per byte; `undefined` for any other */
export const containerOf = (head: string): string | undefined => CONTAINERS.find(([, begin]) => begin.test(head))?.[0]

/** The identifiers behind `stsd`, its eight bytes and the size of the first entry; behind the stream header of AVI. */
const IN_BOXES = /stsd[\s\S]{12}([\w\- ]{4})/g
const IN_MATROSKA = /[VA]_[A-Z0-9]{2,8}(?:\/[A-Z0-9]{2,8}){0,3}/g
const IN_AVI = /vids([A-Za-z0-9]{4})/g

/** The codecs named in the head of a video or audio file. @param head one character per byte */
export function codecsIn(head: string): Codec[] {
  const marks = [
    ...[...head.matchAll(IN_BOXES)].map(match => match[1] ?? ''),
    ...[...head.matchAll(IN_MATROSKA)].map(match => match[0]),
    ...[...head.matchAll(IN_AVI)].map(match => (match[1] ?? '').toUpperCase()),
  ]
  return [...new Set(marks.flatMap(mark => CODECS[mark] ?? []))]
}

/** The names of those that a browser does not play. @param plays queries it for a type */
export function unplayable(codecs: readonly Codec[], plays: (type: string) => boolean): string[] {
  return codecs.filter(({ probe }) => probe === undefined || !plays(probe)).map(({ name }) => name)
}
