import { ArchiveFolder } from '../../shared/api/archives.ts'
import { LISTING_IN_ROWS } from '../../shared/listing-format.ts'
import { ARCHIVE_ALGORITHMS } from '../archives/formats.ts'
import type { Answer } from '../routing/route.ts'

/** What the description of the API tells of calls that send stored content (http-api 5). */

export const INLINE = '`true` shows it in a browser instead of saving it.'

export const ARCHIVE_QUERY = {
  algo: `Of a folder: the form of the archive, ${ARCHIVE_ALGORITHMS.join(', ')}.`,
  files: 'Of a folder: only these names in it, separated by commas and percent-encoded once more.',
  file: 'Of a folder: only this name in it; may be given several times.',
}

/** Conditions and ranges of RFC 9110. */
export const CONDITIONS = {
  Range: 'Only these bytes of a file, or of a zip whose length is known.',
  'If-Range': 'The version of which bytes are wanted.',
  'If-Match': 'Only this version.',
  'If-None-Match': 'Only if it is not this version.',
  'If-Modified-Since': 'Only if it changed after this time.',
  'If-Unmodified-Since': 'Only if it did not change after this time.',
}

const ANY = '*/*'
const VALIDATORS = { ETag: 'Version of a file.', 'Last-Modified': 'When a file changed.' }

export const DOWNLOADS: Readonly<Record<number, Answer>> = {
  200: { text: 'The bytes.', type: ANY, headers: { ...VALIDATORS, 'Content-Disposition': 'How to call it.' } },
  206: { text: 'Some of the bytes.', type: ANY, headers: { ...VALIDATORS, 'Content-Range': 'Which.' } },
  302: {
    text: 'Where it is to be had: as a page from an origin for that, or from the bucket, on a host that has it so.',
    headers: { Location: 'The address, good for a while.' },
  },
  304: { text: 'Not changed.', headers: VALIDATORS },
  416: { text: 'There are no such bytes.', headers: { 'Content-Range': 'How many there are.' } },
  503: { text: 'Too much is being made at once.', headers: { 'Retry-After': 'Seconds to wait.' } },
}

export const REFUSED_DOWNLOADS: readonly number[] = [412]

/** What calls for a folder take and tell besides its listing. */
export const LISTED = {
  headers: {
    Accept: `\`${LISTING_IN_ROWS}\` asks for a folder in rows.`,
    'If-None-Match': 'Only if the folder is no longer as this version has it.',
  },
  type: ['application/json', LISTING_IN_ROWS],
  rows: 'In rows a folder takes a third of the room: the first line tells of it, further ones bring more of it, the last its version.',
  version: { ETag: 'Version of a folder; of a long one it comes behind the answer, as a trailer.' },
  unchanged: { 304: { text: 'The folder is as that version has it.', headers: { ETag: 'The version.' } } },
} as const

export const VERSION_KEY = 'Anything; for keeping versions of the same picture apart in a browser.'

export const REFUSED_PREVIEWS: readonly number[] = [...REFUSED_DOWNLOADS, 413, 422, 501]

/** What looking into archives takes and tells, with and without an account. */
export const LISTED_ARCHIVE = {
  query: { in: 'A folder in the archive, percent-encoded once more; the outermost unless told.' },
  answers: { 200: { text: 'What is in that folder.', schema: ArchiveFolder } },
  refuses: [422, 501],
}
export const SENT_MEMBER = {
  query: {
    member: { text: 'Where the file is in the archive, percent-encoded once more.', required: true },
    inline: '`true` shows a text or a picture in a browser instead of saving it.',
  },
  headers: CONDITIONS,
  answers: DOWNLOADS,
  refuses: [...REFUSED_DOWNLOADS, 422, 501],
} as const

/** The same of the calls that send subtitles. */
export const SENT_SUBTITLES = {
  query: { inline: INLINE },
  answers: { 200: { text: 'The subtitles.', type: 'text/vtt' } },
  refuses: [413],
}
