import { type RefObject, useRef, useState } from 'react'
import type { GivenMountRight, Mount } from '../../../../shared/api/mounts.ts'
import { errorText } from '../../../lib/error-text.ts'
import { formatList } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Expiry } from '../../../ui/expiry.tsx'
import { ExpiryFields } from '../../../ui/expiry-fields.tsx'
import { type ExpiryInput, NEVER, parseExpiry } from '../../../ui/expiry-input.ts'
import { TextField } from '../../../ui/field.tsx'
import { Pencil, X } from '../../../ui/icons.ts'
import { groupsQuery } from '../api/groups.ts'
import { giveMount, type MountTerms, takeMount } from '../api/mounts.ts'
import { usersQuery } from '../api/users.ts'
import groups from '../groups/groups.module.css'
import { groupName } from '../groups/names.ts'
import styles from './mounts.module.css'

/** In the order of the interface. */
const RIGHTS: readonly GivenMountRight[] = ['inherit', 'download', 'create', 'modify', 'rename', 'delete', 'share']
/** Users and groups that are offered at a time. */
const MOST_OFFERED = 8

type Access = Mount['access'][number]
type Subject = Access['to']

const rightName = (right: GivenMountRight): string =>
  right === 'inherit' ? t('mounts.inherit') : t(`permissions.${right}`)

const report = (failed: unknown) => notify('error', errorText(failed))

const nameOf = (to: Subject): string => (to.kind === 'group' ? groupName(to) : to.name)

/** The users and groups who have a mount, what they may do, and a field to add one. Changes count at once. */
export function AccessList({ mount }: { mount: Mount }) {
  const field = useRef<HTMLInputElement>(null)
  const take = async (to: Subject) => {
    await takeMount(mount.id, to)
    // The button that had the focus is gone.
    field.current?.focus()
  }
  return (
    <>
      {mount.access.length === 0 && <p className={groups.facts}>{t('mounts.notGiven')}</p>}
      <ul className={groups.list}>
        {mount.access.map(access => (
          <AccessRow
            key={access.to.kind + access.to.id}
            mount={mount}
            access={access}
            onTake={() => void take(access.to).catch(report)}
          />
        ))}
      </ul>
      <AddSubject mount={mount} field={field} />
    </>
  )
}

/** The rights and the end as chosen, which are stored one change after the other. */
function useTerms(mount: Mount, { to, rights, expires }: Access) {
  const [chosen, setChosen] = useState<MountTerms>()
  const saving = useRef(Promise.resolve())
  const terms = chosen ?? { rights, expires }
  const change = (some: Partial<MountTerms>) => {
    const next = { ...terms, ...some }
    setChosen(next)
    const save = () => giveMount(mount.id, to, next).catch(report)
    saving.current = saving.current.then(save).then(() => setChosen(now => (now === next ? undefined : now)))
  }
  return { terms, change }
}

function AccessRow({ mount, access, onTake }: { mount: Mount; access: Access; onTake: () => void }) {
  const { to } = access
  const [isOpen, setOpen] = useState(false)
  const { terms, change } = useTerms(mount, access)
  const { rights, expires } = terms
  const name = nameOf(to)
  const toggle = (right: GivenMountRight) => (on: boolean) => {
    const next = RIGHTS.filter(one => (one === right ? on : rights.includes(one)))
    if (next.length > 0) change({ rights: next })
  }
  return (
    <li className={styles.row}>
      <div className={styles.line}>
        <div>
          <bdi className={groups.name}>{name}</bdi>
          <span className={groups.facts}>
            {to.kind === 'group' && `${t('mounts.group')} · `}
            {formatList(RIGHTS.filter(right => rights.includes(right)).map(rightName))}
            {expires !== null && (
              <>
                {' · '}
                <End expires={expires} />
              </>
            )}
          </span>
        </div>
        <span className={styles.icons}>
          <IconButton label={t('mounts.rights', { name })} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Pencil size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('groups.remove', { name })} onClick={onTake}>
            <X size={18} aria-hidden />
          </IconButton>
        </span>
      </div>
      {isOpen && (
        <fieldset className={styles.rights} aria-label={t('mounts.rights', { name })}>
          <div className={styles.grid}>
            {RIGHTS.map(right => (
              <Checkbox
                key={right}
                label={rightName(right)}
                checked={rights.includes(right)}
                disabled={rights.length === 1 && rights.includes(right)}
                onChange={toggle(right)}
              />
            ))}
          </div>
          <EndFields expires={expires} onChange={next => change({ expires: next })} />
        </fieldset>
      )}
    </li>
  )
}

function End({ expires }: { expires: string }) {
  const time = Date.parse(expires)
  if (time <= Date.now()) return <span className={styles.away}>{t('tokens.expired')}</span>
  return <Expiry expire={Math.floor(time / 1000)} sentence={when => t('shares.ends', { when })} />
}

/** When a mount ends; a time that can be the end counts at once. */
function EndFields({ expires, onChange }: { expires: string | null; onChange: (expires: string | null) => void }) {
  const [input, setInput] = useState<ExpiryInput>(expires === null ? NEVER : { choice: 'same', date: '' })
  const [problem, setProblem] = useState<string>()
  const choose = (next: ExpiryInput) => {
    const end = parseExpiry(next, Date.now())
    setInput(next)
    setProblem(typeof end === 'string' ? t(end) : undefined)
    if (typeof end === 'number' && next.choice !== 'same')
      onChange(end === 0 ? null : new Date(end * 1000).toISOString())
  }
  return (
    <div className={styles.grid}>
      <ExpiryFields mayStay={input.choice === 'same'} value={input} error={problem} onChange={choose} />
    </div>
  )
}

/** Finds a user or a group by name; one of the results gets the mount at once, and may read. */
function AddSubject({ mount, field }: { mount: Mount; field: RefObject<HTMLInputElement | null> }) {
  const [part, setPart] = useState('')
  const wanted = part.trim().toLowerCase()
  const { data: users = [] } = useQuery(usersQuery)
  const { data: known } = useQuery(groupsQuery)
  const all: Subject[] = [
    ...(known?.value ?? []).map(({ id, name }): Subject => ({ kind: 'group', id, name })),
    ...users.map(({ id, username: name }): Subject => ({ kind: 'user', id: String(id), name })),
  ]
  const isGiven = ({ kind, id }: Subject) => mount.access.some(({ to }) => to.kind === kind && to.id === id)
  const fitting = all.filter(one => !isGiven(one) && nameOf(one).toLowerCase().includes(wanted))
  const offered = wanted === '' ? [] : fitting.slice(0, MOST_OFFERED)
  const give = async (to: Subject) => {
    await giveMount(mount.id, to, { rights: ['download'], expires: null })
    setPart('')
    field.current?.focus()
  }
  return (
    <>
      <TextField
        ref={field}
        label={t('mounts.find')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
        value={part}
        onChange={event => setPart(event.target.value)}
      />
      <div role="status">
        {wanted !== '' && offered.length === 0 && <p className={groups.facts}>{t('mounts.noneFound')}</p>}
      </div>
      {offered.length > 0 && (
        <ul className={groups.list}>
          {offered.map(one => (
            <li key={one.kind + one.id} className={groups.item}>
              <div>
                <bdi className={groups.name}>{nameOf(one)}</bdi>
                {one.kind === 'group' && <span className={groups.facts}>{t('mounts.group')}</span>}
              </div>
              <Button onClick={() => void give(one).catch(report)}>
                {t('mounts.give')}
                <span className="visually-hidden"> {nameOf(one)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
