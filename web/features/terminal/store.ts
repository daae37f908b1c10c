import type { TokenUser } from '../../../shared/api/users.ts'
import { pageConfig } from '../../lib/config.ts'
import { createStore, useStore } from '../../lib/store.ts'

const store = createStore(false)
/** What had the focus before. */
let origin: HTMLElement | null = null

/** Whether there is a shell for somebody; the server asks again. */
export function mayRunCommands(user: TokenUser | null): boolean {
  return pageConfig.EnableExec && (user?.perm.execute ?? false)
}

export function useTerminalOpen(): boolean {
  return useStore(store)
}

/** Shows the shell, or hides it and gives the focus back. */
export function toggleTerminal(): void {
  const open = !store.get()
  if (open) origin = document.activeElement instanceof HTMLElement ? document.activeElement : null
  else if (origin?.isConnected) origin.focus()
  store.set(open)
}
