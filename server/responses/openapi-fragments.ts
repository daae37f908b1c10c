import { ArchiveFolder } from '../../shared/api/archives.ts'
import { PictureSizes } from '../../shared/api/picture-sizes.ts'
import { PICTURES_AT_ONCE } from '../../shared/limits.ts'
import { LISTING_IN_ROWS } from '../../shared/listing-format.ts'
import { ARCHIVE_ALGORITHMS } from '../archives/write/formats.ts'
import type { Answer } from '../routing/route.ts'

/** Responses and headers of calls that send stored content (http-api 5). */

export const INLINE = { text: '`true` shows it in a browser instead of saving it.', type: 'boolean' } as const

export const ARCHIVE_QUERY = {
  algo: { text: 'Of a folder: the format of the archive.', of: ARCHIVE_ALGORITHMS },
  files: 'Of a folder: only these names in it, separated by commas and percent-encoded once more.',
  file: 'Of a folder: only this name in it; repeatable.',
}

/** Conditions and ranges of RFC 9110. */
export const CONDITIONS = {
  Range: 'Only these bytes of a file, or of a zip whose length is known.',
  'If-Range': 'Only if it is still this version; otherwise the whole file.',
  'If-Match': 'Only this version.',
  'If-None-Match': 'Only if it is not this version.',
  'If-Modified-Since': 'Only if it changed after this time.',
  'If-Unmodified-Since': 'Only if it did not change after this time.',
}

const ANY = '*/*'
const VALIDATORS = { ETag: 'Version of a file.', 'Last-Modified': 'When a file changed.' }

export const DOWNLOADS: Readonly<Record<number, Answer>> = {
  200: { text: 'The bytes.', type: ANY, headers: { ...VALIDATORS, 'Content-Disposition': 'The file name.' } },
  206: { text: 'The requested ranges.', type: ANY, headers: { ...VALIDATORS, 'Content-Range': 'The range.' } },
  302: {
    text: 'A redirect to the content origin, or to the bucket, if the host is configured so.',
    headers: { Location: 'The URL, which expires.' },
  },
  304: { text: 'Not changed.', headers: VALIDATORS },
  416: { text: 'The range is outside the file.', headers: { 'Content-Range': 'The length.' } },
  503: { text: 'Too many concurrent requests of this kind.', headers: { 'Retry-After': 'Seconds to wait.' } },
}

export const PREVIEWS: Readonly<Record<number, Answer>> = {
  ...DOWNLOADS,
  204: { text: 'The document needs a password: there is nothing to show.' },
}

export const REFUSED_DOWNLOADS: readonly number[] = [412]

/** Parameters and responses of calls for a folder, without its listing. */
export const LISTED = {
  headers: {
    Accept: `\`${LISTING_IN_ROWS}\` requests a folder in rows.`,
    'If-None-Match': 'Only if the folder has changed since this version.',
  },
  type: ['application/json', LISTING_IN_ROWS],
  rows: 'In rows a folder is a third of the size: the first line has its own fields and first entries, further lines more entries, the last its version.',
  version: { ETag: 'Version of a folder; of a long one it is a trailer.' },
  unchanged: { 304: { text: 'The folder has not changed.', headers: { ETag: 'The version.' } } },
} as const

export const VERSION_KEY = 'Any value; distinguishes versions of the same image in the browser’s cache.'

export const REFUSED_PREVIEWS: readonly number[] = [...REFUSED_DOWNLOADS, 413, 422, 501]

/** The same for the calls that send an office document as PDF. */
export const SENT_DOCUMENT = {
  query: { inline: INLINE },
  headers: CONDITIONS,
  answers: {
    ...DOWNLOADS,
    202: { text: 'It is being converted; ask again.', headers: { 'Retry-After': 'Seconds to wait.' } },
  },
  refuses: [...REFUSED_DOWNLOADS, 409, 413, 415, 422, 501],
} as const

/** Parameters and responses of reading archives, with and without an account. */
export const LISTED_ARCHIVE = {
  query: { in: 'A folder in the archive, percent-encoded once more; the root by default.' },
  answers: { 200: { text: 'The content of that folder.', schema: ArchiveFolder } },
  refuses: [422, 501],
}
export const SENT_MEMBER = {
  query: {
    member: { text: 'Path of the file in the archive, percent-encoded once more.', required: true },
    inline: { text: '`true` shows a text or an image in a browser instead of saving it.', type: 'boolean' },
  },
  headers: CONDITIONS,
  answers: DOWNLOADS,
  refuses: [...REFUSED_DOWNLOADS, 409, 422, 501],
} as const

/** The same for the calls that send subtitles. */
export const SENT_SUBTITLES = {
  query: { inline: INLINE },
  answers: { 200: { text: 'The subtitles.', type: 'text/vtt' } },
  refuses: [413],
}

/** The same for the calls that measure images. */
export const SIZED_PICTURES = {
  query: {
    files: {
      text: `At most ${PICTURES_AT_ONCE} names in the folder, separated by commas and percent-encoded once more.`,
      required: true,
    },
  },
  answers: {
    200: {
      text: 'Width and height as shown, and the local time at which the camera took the image, and its colours if a preview was made, in the order of the names; `null` where they are unknown.',
      schema: PictureSizes,
    },
  },
  refuses: [403],
} as const
