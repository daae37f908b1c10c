/** The file that closes by going back to the page it was opened from, instead of to its folder. */
let noted: string | undefined

/** Notes that a file is about to be opened from a page other than its folder. */
export function noteReturn(path: string): void {
  noted = path
}

/** Whether that was noted for this file; once. */
export function takeReturn(path: string): boolean {
  const isNoted = noted === path
  noted = undefined
  return isNoted
}
