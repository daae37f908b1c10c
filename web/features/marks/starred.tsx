import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react'
import type { StarredItem } from '../../../shared/api/marks.ts'
import { shownName } from '../../../shared/bytes.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { useQuery } from '../../lib/query.ts'
import { filesUrl, navigate } from '../../lib/router.tsx'
import { EmptyList } from '../../ui/empty-list.tsx'
import { EllipsisVertical } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import { Star } from '../../ui/star.tsx'
import { starsQuery } from './api/marks.ts'
import styles from './marks.module.css'
import { MarksPage } from './page.tsx'
import { MarkedFacts } from './row.tsx'
import { dropStar, moveStar } from './star-order.ts'

/** What the user starred, in an order that drag and keys change. */
export function StarredPage() {
  const query = useQuery(starsQuery)
  const items = query.data?.items ?? []
  return (
    <MarksPage title={t('nav.starred')} query={query}>
      {items.length > 0 ? (
        <Stars items={items} />
      ) : (
        <EmptyList
          icon={<Star size={40} aria-hidden />}
          title={t('marks.noStars')}
          text={t('marks.noStarsText', { keys: 'Alt+S' })}
        />
      )}
    </MarksPage>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

function Stars({ items }: { items: readonly StarredItem[] }) {
  const dragged = useRef<number>(undefined)
  const [over, setOver] = useState<number>()
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const step = event.altKey ? STEPS[event.key] : undefined
    if (step === undefined) return
    event.preventDefault()
    void moveStar(items, index, index + step)
  }
  const dragging = (index: number) => ({
    draggable: true,
    onDragStart: (event: DragEvent) => {
      dragged.current = index
      event.dataTransfer.effectAllowed = 'move'
    },
    onDragOver: (event: DragEvent) => {
      if (dragged.current === undefined) return
      event.preventDefault()
      setOver(index)
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      if (dragged.current !== undefined) void moveStar(items, dragged.current, index)
    },
    onDragEnd: () => {
      dragged.current = undefined
      setOver(undefined)
    },
  })
  return (
    <>
      <p className={styles.hint}>{t('marks.orderHint', { up: 'Alt+↑', down: 'Alt+↓' })}</p>
      <ul className={styles.list} aria-label={t('nav.starred')}>
        {items.map((item, index) => (
          // The keys move the row in which the focus is.
          <li
            key={item.id}
            className={styles.row}
            data-over={over === index || undefined}
            onKeyDown={event => onKeyDown(event, index)}
            {...dragging(index)}
          >
            <StarredRow items={items} index={index} item={item} />
          </li>
        ))}
      </ul>
    </>
  )
}

interface StarredRowProps {
  items: readonly StarredItem[]
  index: number
  item: StarredItem
}

function StarredRow({ items, index, item }: StarredRowProps) {
  const online = useOnline()
  const { trash, path, isDir, modified } = item
  const to = trash === undefined ? filesUrl(path, isDir) : `/trash/${trash}/`
  const entry = (id: string, label: string, run: () => unknown, disabled = !online): MenuEntry => ({
    id,
    label,
    disabled,
    run: () => void run(),
  })
  return (
    <>
      <MarkedFacts item={item} to={to} note={trash === undefined ? undefined : t('marks.inTrash')} time={modified} />
      <MenuButton
        label={t('views.menuOf', { name: shownName(item.name) })}
        entries={[
          entry('open', t('actions.open'), () => navigate(to), false),
          entry('up', t('marks.up'), () => moveStar(items, index, index - 1), !online || index === 0),
          entry(
            'down',
            t('marks.down'),
            () => moveStar(items, index, index + 1),
            !online || index === items.length - 1,
          ),
          { ...entry('unstar', t('actions.unstar'), () => dropStar(items, item)), separated: true },
        ]}
      >
        <EllipsisVertical size={18} aria-hidden />
      </MenuButton>
    </>
  )
}
