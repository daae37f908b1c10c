/** Whether what is opened next closes by going back to where it was opened from. */
let isNoted = false

/** Notes that the next file is opened from a page other than its folder. */
export function noteReturn(): void {
  isNoted = true
}

/** Whether that was noted; once. */
export function takeReturn(): boolean {
  const noted = isNoted
  isNoted = false
  return noted
}
