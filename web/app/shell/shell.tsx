import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import { useUnpasted } from '../../features/files/operations/clipboard.ts'
import { TerminalSlot } from '../../features/terminal/slot.tsx'
import { allActions, canRun, currentContext, keysOfAction, runAction, useActionContext } from '../../lib/actions.ts'
import { factorDutyStore } from '../../lib/factor-duty.ts'
import { t } from '../../lib/i18n/index.ts'
import { useShortcuts } from '../../lib/keyboard.ts'
import { lazySignIn } from '../../lib/lazy.ts'
import { localPreference } from '../../lib/local-preference.ts'
import { useWindowClass } from '../../lib/media.ts'
import { useStore } from '../../lib/store.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { useHasOverlay } from '../../ui/overlay.tsx'
import { Drawer } from './drawer.tsx'
import { NewMenu } from './new-menu.tsx'
import { PLACES } from './places.ts'
import styles from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { sidebarWidth } from './sidebar-width.ts'
import { TopBar } from './topbar.tsx'

const FactorDuty = lazySignIn(() => import('../../features/settings/factors/duty-bar.tsx'))

const preferred = localPreference('filigree.sidebar', ['full', 'rail'], 'full')

/** The shell around every screen of a signed-in user: sidebar, top bar, content. */
export function Shell({ children }: { children: ReactNode }) {
  const width = useWindowClass()
  const wanted = useStore(preferred.store)
  const sidebar = useStore(sidebarWidth.store)
  const [drawerOpen, setDrawerOpen] = useState(false)
  useActionShortcuts()
  const covered = useHasOverlay()
  const isFactorDue = useStore(factorDutyStore)
  useEffect(() => {
    if (width === 'wide') setDrawerOpen(false)
  }, [width])
  const toggle = () => {
    if (width !== 'wide') return setDrawerOpen(true)
    preferred.choose(wanted === 'full' ? 'rail' : 'full')
  }
  const form = width === 'medium' ? 'rail' : wanted
  return (
    <div
      className={styles.shell}
      style={{ '--sidebar': `${sidebar}px` } as CSSProperties}
      data-sidebar={width === 'narrow' ? 'none' : form}
      inert={covered}
    >
      <a className={styles.skip} href="#content">
        {t('nav.skip')}
      </a>
      {width !== 'narrow' && <Sidebar form={form} />}
      {drawerOpen && (
        <Drawer label={t('nav.main')} onClose={() => setDrawerOpen(false)}>
          <Sidebar form="drawer" />
        </Drawer>
      )}
      <div className={styles.column}>
        <TopBar expanded={width === 'wide' ? form === 'full' : drawerOpen} onToggle={toggle} />
        {isFactorDue && (
          <LazyBoundary>
            <FactorDuty />
          </LazyBoundary>
        )}
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
      // A repetition that does nothing is consumed too: the browser must not take it for something of its own.
      const run = ({ repeat }: KeyboardEvent) =>
        repeat && action.once ? canRun(action, currentContext()) : runAction(action)
      return keysOfAction(action).map(keys => ({ keys, inText: inText(keys), run }))
    })
  useShortcuts('global', [...bindings('global'), ...PLACES])
  useShortcuts('listing', bindings('listing'))
}
