import { type ReactNode, useEffect, useState } from 'react'
import { useUnpasted } from '../../features/files/operations/clipboard.ts'
import { TerminalSlot } from '../../features/terminal/slot.tsx'
import { allActions, keysOfAction, runAction, useActionContext } from '../../lib/actions.ts'
import { t } from '../../lib/i18n/index.ts'
import { useShortcuts } from '../../lib/keyboard.ts'
import { useWindowClass } from '../../lib/media.ts'
import { useHasOverlay } from '../../ui/overlay.tsx'
import { Drawer } from './drawer.tsx'
import { NewMenu } from './new-menu.tsx'
import { PLACES } from './places.ts'
import styles from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './topbar.tsx'

const STORAGE_KEY = 'filigree.sidebar'

/** The shell around every screen of a signed-in user: sidebar, top bar, content. */
export function Shell({ children }: { children: ReactNode }) {
  const width = useWindowClass()
  const [collapsed, setCollapsed] = useState(readCollapsed)
  const [drawerOpen, setDrawerOpen] = useState(false)
  useActionShortcuts()
  const covered = useHasOverlay()
  useEffect(() => {
    if (width === 'wide') setDrawerOpen(false)
  }, [width])
  const toggle = () => {
    if (width !== 'wide') return setDrawerOpen(true)
    saveCollapsed(!collapsed)
    setCollapsed(!collapsed)
  }
  const rail = width === 'medium' || collapsed
  return (
    <div className={styles.shell} data-sidebar={width === 'narrow' ? 'none' : rail ? 'rail' : 'full'} inert={covered}>
      <a className={styles.skip} href="#content">
        {t('nav.skip')}
      </a>
      {width !== 'narrow' && <Sidebar form={rail ? 'rail' : 'full'} />}
      {drawerOpen && (
        <Drawer label={t('nav.main')} onClose={() => setDrawerOpen(false)}>
          <Sidebar form="drawer" />
        </Drawer>
      )}
      <div className={styles.column}>
        <TopBar expanded={width === 'wide' ? !collapsed : drawerOpen} onToggle={toggle} />
        <div className={styles.middle}>
          <main id="content" className={styles.content} tabIndex={-1}>
            {children}
          </main>
          {width === 'narrow' && <FloatingNew />}
        </div>
        <TerminalSlot />
      </div>
    </div>
  )
}

/** The New menu as a floating button; it makes room for the bars of the selection and of the clipboard. */
function FloatingNew() {
  const { view, selection } = useActionContext()
  const held = useUnpasted()
  if (!view || selection.length > 0 || held) return null
  return <NewMenu className={styles.floating} showText={false} />
}

/** Every action's key, from the list of actions. */
function useActionShortcuts(): void {
  const bindings = (scope: 'global' | 'listing') =>
    allActions().flatMap(action => {
      if ((action.scope ?? 'listing') !== scope) return []
      const inText = (keys: string) => scope === 'global' && /^(?:F\d|Ctrl\+)/.test(keys)
      return keysOfAction(action).map(keys => ({ keys, inText: inText(keys), run: () => runAction(action) }))
    })
  useShortcuts('global', [...bindings('global'), ...PLACES])
  useShortcuts('listing', bindings('listing'))
}

function readCollapsed(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'rail'
  } catch {
    return false
  }
}

function saveCollapsed(collapsed: boolean): void {
  try {
    localStorage.setItem(STORAGE_KEY, collapsed ? 'rail' : 'full')
  } catch {
    // Storage may be unavailable; the preference then lasts as long as the page.
  }
}
