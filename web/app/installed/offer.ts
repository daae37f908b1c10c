import { createStore } from '../../lib/store.ts'

/** Not in the standard library of types; browsers of one family send it (Manifest Incubations, W3C). */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

/** What asks the browser to install the app; `undefined` where it cannot, or has. */
export const installStore = createStore<(() => void) | undefined>(undefined)

/** Keeps the browser from asking on its own. The account menu offers it. */
export function watchInstallOffer(): void {
  addEventListener('beforeinstallprompt', event => {
    event.preventDefault()
    installStore.set(() => {
      installStore.set(undefined)
      void (event as InstallPrompt).prompt()
    })
  })
  addEventListener('appinstalled', () => installStore.set(undefined))
}
