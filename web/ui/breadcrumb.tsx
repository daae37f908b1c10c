import { type MouseEventHandler, useRef } from 'react'
import { shownName } from '../../shared/bytes.ts'
import { BREADCRUMB_SEGMENTS } from '../../shared/limits.ts'
import { Link, navigate } from '../lib/router.tsx'
import styles from './breadcrumb.module.css'
import { useWidth } from './grid/use-width.ts'
import { ChevronRight, Ellipsis } from './icons.ts'
import { MenuButton } from './menu-button.tsx'

export interface Crumb {
  label: string
  /** Address without the base URL, or a function that goes there; unique. */
  to: string | { key: string; go: () => void }
  /** Path of the folder, if it is a drop target. */
  drop?: string
}

const keyOf = ({ to }: Crumb) => (typeof to === 'string' ? to : to.key)

export interface BreadcrumbProps {
  /** Accessible name of the navigation, and of the menu of hidden segments. */
  label: string
  hiddenLabel: string
  /** Always shown first: the topmost folder the visitor can access. */
  root: Crumb
  /** Below the root, outermost first. */
  crumbs: readonly Crumb[]
  onContextMenu?: MouseEventHandler
}

/** CSS pixels of a segment that can be read. */
const READABLE = 64

/** The breadcrumb: at most three segments, fewer where there is little room; the ones before them in a menu. */
export function Breadcrumb({ label, hiddenLabel, root, crumbs, onContextMenu }: BreadcrumbProps) {
  const nav = useRef<HTMLElement>(null)
  const room = Math.min(BREADCRUMB_SEGMENTS, Math.floor(useWidth(nav) / READABLE) - 1)
  const cut = crumbs.length > Math.max(1, room) ? crumbs.length - Math.max(1, room - 1) : 0
  // With hardly any room the root is in the menu, too.
  const isRootShown = room > 0 || crumbs.length === 0
  const hidden = [...(isRootShown ? [] : [root]), ...crumbs.slice(0, cut)]
  const shown = crumbs.slice(cut)
  const entries = hidden.map(crumb => ({
    id: keyOf(crumb),
    label: shownName(crumb.label),
    run: () => (typeof crumb.to === 'string' ? void navigate(crumb.to) : crumb.to.go()),
  }))
  return (
    <nav ref={nav} className={styles.nav} aria-label={label} onContextMenu={onContextMenu}>
      <ol className={styles.list}>
        {isRootShown && <Segment crumb={root} current={crumbs.length === 0} first />}
        {hidden.length > 0 && (
          <li className={styles.segment} data-menu="">
            {isRootShown && <ChevronRight size={16} className={styles.arrow} aria-hidden />}
            <MenuButton label={hiddenLabel} entries={entries} className={styles.more}>
              <Ellipsis size={16} aria-hidden />
            </MenuButton>
          </li>
        )}
        {shown.map((crumb, index) => (
          <Segment key={keyOf(crumb)} crumb={crumb} current={index === shown.length - 1} />
        ))}
      </ol>
    </nav>
  )
}

function Segment({ crumb, current, first = false }: { crumb: Crumb; current: boolean; first?: boolean }) {
  const label = shownName(crumb.label)
  const shared = { className: styles.link, 'aria-current': current ? ('page' as const) : undefined, title: label }
  return (
    <li className={styles.segment} data-current={current || undefined}>
      {!first && <ChevronRight size={16} className={styles.arrow} aria-hidden />}
      {typeof crumb.to === 'string' ? (
        <Link to={crumb.to} data-drop={crumb.drop} {...shared}>
          <bdi>{label}</bdi>
        </Link>
      ) : (
        <button type="button" onClick={crumb.to.go} {...shared}>
          <bdi>{label}</bdi>
        </button>
      )}
    </li>
  )
}
