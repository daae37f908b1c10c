let open = false

/** Whether the open file was opened for a quick look: the key that opened it closes it. */
export const isQuickLook = (): boolean => open

export function setQuickLook(now: boolean): void {
  open = now
}
