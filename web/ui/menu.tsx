import { CSPProvider } from '@base-ui/react/csp-provider'
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { Menu as Base } from '@base-ui/react/menu'
import { type RefObject, useState } from 'react'
import { useLocale } from '../lib/i18n/index.ts'
import { showKeys } from '../lib/keyboard.ts'
import { useWindowClass } from '../lib/media.ts'
import { Check, ChevronRight } from './icons.ts'
import styles from './menu.module.css'
import type { MenuEntry } from './menu-entry.ts'

export interface MenuProps {
  label: string
  entries: readonly MenuEntry[]
  /** The element it opens next to, which gets the focus back. */
  anchor: RefObject<HTMLElement | null>
  /** Gets the focus instead of the anchor. */
  returnFocus?: () => HTMLElement | null
  /** Edge of the anchor that the menu is aligned with. */
  align?: 'start' | 'end'
  /** Opens at a point: moves up as far as necessary, instead of above the point. */
  atPoint?: boolean
  onClose: () => void
}

const SHIFT = { side: 'shift', align: 'shift' } as const

/** Anchor of a sheet: along the lower edge of the window. */
const LOWER_EDGE = { getBoundingClientRect: () => new DOMRect(0, innerHeight, innerWidth, 0) }

/** A menu, open while mounted; a bottom sheet on narrow screens. Heavy: use it through `MenuButton`. */
export default function Menu({ label, entries, anchor, returnFocus, align = 'end', atPoint, onClose }: MenuProps) {
  // Computed once: the menu must not move while it is open.
  const [home] = useState(() => layerHome(anchor.current))
  const { dir } = useLocale()
  const sheet = useWindowClass() === 'narrow'
  const place = sheet
    ? { anchor: LOWER_EDGE, side: 'top' as const, collisionPadding: 0 }
    : { anchor, sideOffset: 4, align, ...(atPoint && { collisionAvoidance: SHIFT }) }
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={dir}>
        <Base.Root open onOpenChange={open => !open && onClose()}>
          <Base.Portal container={home}>
            {sheet && <Base.Backdrop className={styles.backdrop} />}
            <Base.Positioner className={styles.positioner} positionMethod="fixed" {...place}>
              <Base.Popup
                className={styles.popup}
                data-sheet={sheet || undefined}
                aria-label={label}
                finalFocus={returnFocus ?? anchor}
              >
                {sheet && <Heading text={label} />}
                <Entries entries={entries} home={home} />
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      </DirectionProvider>
    </CSPProvider>
  )
}

/** Heading of a sheet; same as its accessible name. */
function Heading({ text }: { text: string }) {
  return (
    <p className={styles.heading} aria-hidden="true">
      <bdi>{text}</bdi>
    </p>
  )
}

interface EntriesProps {
  entries: readonly MenuEntry[]
  /** Container of submenus. */
  home: HTMLElement
}

function Entries({ entries, home }: EntriesProps) {
  return sections(entries).map(section => {
    const [first] = section
    if (!first) return null
    return (
      <div key={first.id} className={styles.section}>
        {first.separated && <Base.Separator className={styles.separator} />}
        {isChoice(first) ? (
          <Choices entries={section} />
        ) : (
          section.map(entry => <Entry key={entry.id} entry={entry} home={home} />)
        )}
      </div>
    )
  })
}

const isChoice = ({ checked, toggles }: MenuEntry) => checked !== undefined && !toggles

/** Entries up to the next separator; radio entries are grouped apart from the rest. */
function sections(entries: readonly MenuEntry[]): MenuEntry[][] {
  const found: MenuEntry[][] = []
  for (const entry of entries) {
    const last = found.at(-1)
    const joins = last?.[0] && !entry.separated && isChoice(entry) === isChoice(last[0])
    if (joins) last.push(entry)
    else found.push([entry])
  }
  return found
}

function Choices({ entries }: { entries: readonly MenuEntry[] }) {
  const chosen = entries.find(entry => entry.checked)
  const choose = (id: unknown) => entries.find(entry => entry.id === id)?.run?.()
  return (
    <Base.RadioGroup value={chosen?.id} onValueChange={choose}>
      {entries.map(entry => (
        <Base.RadioItem
          key={entry.id}
          value={entry.id}
          className={styles.item}
          disabled={entry.disabled ?? false}
          closeOnClick
        >
          <Content entry={entry} />
          {entry.checked && <Check size={16} aria-hidden />}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}

function Entry({ entry, home }: { entry: MenuEntry; home: HTMLElement }) {
  const props = {
    className: styles.item,
    disabled: entry.disabled ?? false,
    'data-danger': entry.danger ? '' : undefined,
  }
  if (entry.entries) return <SideMenu entry={entry} entries={entry.entries} home={home} />
  if (entry.toggles) {
    return (
      <Base.CheckboxItem {...props} checked={entry.checked ?? false} onCheckedChange={entry.run} closeOnClick>
        <Content entry={entry} />
        {entry.checked && <Check size={16} aria-hidden />}
      </Base.CheckboxItem>
    )
  }
  return (
    <Base.Item {...props} onClick={entry.run}>
      <Content entry={entry} />
    </Base.Item>
  )
}

function SideMenu({ entry, entries, home }: EntriesProps & { entry: MenuEntry }) {
  const sheet = useWindowClass() === 'narrow'
  const place = sheet ? { anchor: LOWER_EDGE, side: 'top' as const, collisionPadding: 0 } : {}
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={styles.item} disabled={entry.disabled ?? false}>
        <Content entry={entry} />
        <ChevronRight size={16} aria-hidden />
      </Base.SubmenuTrigger>
      <Base.Portal container={home}>
        <Base.Positioner className={styles.positioner} positionMethod="fixed" {...place}>
          <Base.Popup className={styles.popup} data-sheet={sheet || undefined} aria-label={entry.label}>
            {sheet && <Heading text={entry.label} />}
            <Entries entries={entries} home={home} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  )
}

function Content({ entry }: { entry: MenuEntry }) {
  return (
    <>
      <span className={styles.icon} aria-hidden="true">
        {entry.icon}
      </span>
      <bdi className={styles.label} lang={entry.lang}>
        {entry.label}
      </bdi>
      {entry.keys && <kbd className={styles.keys}>{showKeys(entry.keys)}</kbd>}
    </>
  )
}

/**
 * Container of a popup anchored at `anchor`: inside its landmark, so that no content lies outside all of them, and
 * inside an open modal dialog, outside of which nothing can be reached.
 */
function layerHome(anchor: Element | null): HTMLElement {
  return (
    anchor?.closest<HTMLElement>('dialog, [role="dialog"], main, nav, header, aside') ??
    document.querySelector('main') ??
    document.body
  )
}
