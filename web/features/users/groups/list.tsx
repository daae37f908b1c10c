import { type DragEvent, type KeyboardEvent, useState } from 'react'
import type { Group } from '../../../../shared/api/groups.ts'
import { announce } from '../../../lib/announce.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { useQuery } from '../../../lib/query.ts'
import { Link } from '../../../lib/router.tsx'
import buttons from '../../../ui/button.module.css'
import { IconButton } from '../../../ui/button.tsx'
import { ArrowDown, ArrowUp, Pencil, Plus } from '../../../ui/icons.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import tables from '../../../ui/table.module.css'
import { groupsQuery, orderGroups, reloadGroups, type Versioned } from '../api/groups.ts'
import styles from './groups.module.css'
import { givenBy, groupName } from './names.ts'

/** The list of groups, in their order. */
export default function GroupsPage() {
  const { data, error, refetch } = useQuery(groupsQuery)
  if (data) return <Groups groups={data} />
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
}

function Groups({ groups: { value, etag } }: { groups: Versioned<Group[]> }) {
  const { order, move } = useOrder(value, etag)
  return (
    <>
      <div className={tables.tools}>
        <p className={styles.text}>
          {t('groups.text')} {order.length > 2 && t('groups.order')}
        </p>
        <Link to="/settings/groups/new" className={`${buttons.button} ${buttons.primary}`}>
          <Plus size={18} aria-hidden />
          {t('groups.new')}
        </Link>
      </div>
      <div className={tables.frame}>
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">{t('tokens.label')}</th>
              <th scope="col" className={tables.wide}>
                {t('permissions.title')}
              </th>
              <th scope="col" className={tables.wide}>
                {t('groups.membersTitle')}
              </th>
              <th scope="col" className={tables.end}>
                <span className="visually-hidden">{t('users.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {order.map((group, index) => (
              <GroupRow key={group.id} group={group} at={index} count={order.length} onMove={move} />
            ))}
          </tbody>
        </table>
      </div>
      {order.length === 1 && <p className={tables.none}>{t('groups.empty')}</p>}
    </>
  )
}

/** The order as shown, which is stored with each move. The group of all users stays the first. */
function useOrder(stored: readonly Group[], etag: string) {
  const [moved, setMoved] = useState<{ ids: readonly string[]; over: string }>()
  const byId = new Map(stored.map(group => [group.id, group]))
  const ids = moved?.over === etag ? moved.ids : stored.map(({ id }) => id)
  const order = ids.flatMap(id => byId.get(id) ?? [])
  const move = async (from: number, to: number) => {
    const group = order[from]
    if (!group || from === to || from < 1 || to < 1 || to >= order.length) return
    const next = order.toSpliced(from, 1).toSpliced(to, 0, group)
    setMoved({ ids: next.map(({ id }) => id), over: etag })
    announce(t('groups.moved', { name: groupName(group), position: to, count: order.length - 1 }))
    try {
      await orderGroups(
        next.slice(1).map(({ id }) => id),
        etag,
      )
    } catch (error) {
      setMoved(undefined)
      notify('error', errorText(error))
    }
    await reloadGroups()
  }
  return { order, move: (from: number, to: number) => void move(from, to) }
}

interface RowProps {
  group: Group
  at: number
  count: number
  onMove: (from: number, to: number) => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

function GroupRow({ group, at, count, onMove }: RowProps) {
  const name = groupName(group)
  const members = t('groups.members', { count: group.members })
  const edit = t('users.edit', { name })
  const { drop, isOver } = useDrop(at, onMove)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (!event.altKey || step === undefined) return
    event.preventDefault()
    onMove(at, at + step)
  }
  return (
    <tr {...drop} data-over={isOver || undefined} className={styles.row} onKeyDown={onKeyDown}>
      <td>
        <Link to={`/settings/groups/${group.id}`} className={styles.name}>
          <bdi>{name}</bdi>
        </Link>
        {group.description && <span className={styles.facts}>{group.description}</span>}
        <span className={tables.narrow}>
          {givenBy(group)} · {members}
        </span>
      </td>
      <td className={tables.wide}>{givenBy(group)}</td>
      <td className={`${tables.wide} ${styles.members}`}>{members}</td>
      <td className={tables.end}>
        <div className={tables.buttons}>
          {at > 0 && count > 2 && (
            <>
              <IconButton
                label={t('groups.up', { name })}
                aria-disabled={at === 1 || undefined}
                onClick={() => onMove(at, at - 1)}
              >
                <ArrowUp size={18} aria-hidden />
              </IconButton>
              <IconButton
                label={t('groups.down', { name })}
                aria-disabled={at === count - 1 || undefined}
                onClick={() => onMove(at, at + 1)}
              >
                <ArrowDown size={18} aria-hidden />
              </IconButton>
            </>
          )}
          <Link to={`/settings/groups/${group.id}`} className={buttons.iconButton} aria-label={edit} data-tip={edit}>
            <Pencil size={18} aria-hidden />
          </Link>
        </div>
      </td>
    </tr>
  )
}

const DRAGGED = 'application/x-filigree-group'

/** A row that is dragged, and takes another one in its place. */
function useDrop(at: number, onMove: RowProps['onMove']) {
  const [isOver, setOver] = useState(false)
  if (at === 0) return { drop: {}, isOver: false }
  const drop = {
    draggable: true,
    onDragStart(event: DragEvent) {
      event.dataTransfer.setData(DRAGGED, String(at))
      event.dataTransfer.effectAllowed = 'move'
    },
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes(DRAGGED)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault()
      setOver(false)
      onMove(Number(event.dataTransfer.getData(DRAGGED)), at)
    },
  }
  return { drop, isOver }
}
