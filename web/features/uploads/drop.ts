/** The content of a drop, read before the event ends: afterwards the browser clears it. */
export interface Dropped {
  entries: FileSystemEntry[]
  /** Files of browsers without entries. */
  files: File[]
}

/** Whether a drag carries desktop files (and not a text or a link). */
export function carriesFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false
}

/** Reads all items of a drop. Must be called synchronously inside the `drop` event. */
export function takeDrop(transfer: DataTransfer): Dropped {
  const dropped: Dropped = { entries: [], files: [] }
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue
    const entry = 'webkitGetAsEntry' in item ? item.webkitGetAsEntry() : null
    const file = entry ? null : item.getAsFile()
    if (entry) dropped.entries.push(entry)
    else if (file) dropped.files.push(file)
  }
  return dropped
}
