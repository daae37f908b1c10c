import { ARCHIVE_FORMATS, type ArchiveFormat } from '../api/archive.ts'

const STORAGE_KEY = 'filigree.archive'

/** The archive format used last in this browser; zip initially. */
export function lastFormat(): ArchiveFormat {
  try {
    return formatNamed(localStorage.getItem(STORAGE_KEY))
  } catch {
    return ARCHIVE_FORMATS[0]
  }
}

export function rememberFormat({ name }: ArchiveFormat): void {
  try {
    localStorage.setItem(STORAGE_KEY, name)
  } catch {
    // Storage may be unavailable; zip is the default then.
  }
}

/** The format of this name; zip for an unknown one. */
export function formatNamed(name: string | null | undefined): ArchiveFormat {
  return ARCHIVE_FORMATS.find(format => format.name === name) ?? ARCHIVE_FORMATS[0]
}
