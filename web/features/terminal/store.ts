import type { TokenUser } from '../../../shared/api/users.ts'
import { pageConfig } from '../../lib/config.ts'
import { createStore, useStore } from '../../lib/store.ts'

const store = createStore(false)
/** The element that had the focus before. */
let origin: HTMLElement | null = null

/** Whether the user has a terminal; the server checks it again. */
export function mayRunCommands(user: TokenUser | null): boolean {
  return pageConfig.EnableExec && (user?.perm.execute ?? false)
}

export function useTerminalOpen(): boolean {
  return useStore(store)
}

/** Shows the terminal, or hides it and restores the focus. */
export function toggleTerminal(): void {
  const open = !store.get()
  if (open) origin = document.activeElement instanceof HTMLElement ? document.activeElement : null
  else if (origin?.isConnected) origin.focus()
  store.set(open)
}
