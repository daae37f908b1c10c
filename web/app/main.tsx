import { createRoot } from 'react-dom/client'
import { LOADING_OVERLAY_DELAY } from '../../shared/limits.ts'
import { registerActions } from '../lib/actions.ts'
import { setLocale } from '../lib/i18n/index.ts'
import { pickLocale } from '../lib/i18n/pick.ts'
import { isTextField } from '../lib/keyboard.ts'
import { followNetwork } from '../lib/online.ts'
import { dropPreloaded } from '../lib/preloaded-calls.ts'
import { queryClient } from '../lib/query.ts'
import { sessionStore, startSession } from '../lib/session.ts'
import { storedLocale } from '../lib/stored-token.ts'
import { applyTheme } from '../lib/theme.ts'
import { installTrustedTypes } from '../lib/trusted-types.ts'
import { ACTIONS } from './actions.ts'
import { App } from './app.tsx'

/** Age in milliseconds above which a preloaded listing is stale. */
const PRELOADED_MAX_AGE = 5000

/** The splash screen stays 200 ms after mount, but lets clicks through. */
function removeOverlay(): void {
  const overlay = document.getElementById('loading')
  overlay?.setAttribute('data-done', '')
  setTimeout(() => overlay?.remove(), LOADING_OVERLAY_DELAY)
}

/** Style sheets show the focus ring once a key has been used. Typing a username or a password is no such use. */
function watchKeyboard(): void {
  const note = ({ target }: KeyboardEvent) => {
    if (isTextField(target) && !sessionStore.get().user) return
    document.documentElement.dataset.keys = ''
    removeEventListener('keydown', note, true)
  }
  addEventListener('keydown', note, true)
}

/** A dropped file never takes the place of the page, also before what accepts it has loaded. */
function keepPage(): void {
  const keep = (event: DragEvent) => event.dataTransfer?.types.includes('Files') && event.preventDefault()
  addEventListener('dragover', keep)
  addEventListener('drop', keep)
}

function followUserLocale(): void {
  let locale = sessionStore.get().user?.locale ?? ''
  sessionStore.subscribe(() => {
    const wanted = sessionStore.get().user?.locale
    if (wanted === undefined || wanted === locale) return
    locale = wanted
    void setLocale(pickLocale(wanted)).catch(() => undefined)
  })
}

async function start(root: HTMLElement): Promise<void> {
  installTrustedTypes()
  applyTheme()
  watchKeyboard()
  keepPage()
  followNetwork()
  registerActions(ACTIONS)
  // Texts and the session are fetched concurrently; a second catalogue is rarely needed.
  await Promise.all([startSession(), setLocale(pickLocale(storedLocale())).catch(() => undefined)])
  await setLocale(pickLocale(sessionStore.get().user?.locale ?? '')).catch(() => undefined)
  followUserLocale()
  queryClient.mount()
  createRoot(root).render(<App onMount={removeOverlay} />)
  setTimeout(dropPreloaded, PRELOADED_MAX_AGE)
}

const root = document.getElementById('root')
if (root) void start(root)
