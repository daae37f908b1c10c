import { ARCHIVE_FORMATS, type ArchiveFormat } from '../api/archive.ts'

const STORAGE_KEY = 'filigree.archive'

/** The kind of archive chosen last in this browser; zip at first. */
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
    // Storage may be forbidden; zip is offered first then.
  }
}

/** The format of this name; zip for all others. */
export function formatNamed(name: string | null | undefined): ArchiveFormat {
  return ARCHIVE_FORMATS.find(format => format.name === name) ?? ARCHIVE_FORMATS[0]
}
