import { useRef, useState } from 'react'
import type { Grant, Recipient } from '../../../shared/api/grants.ts'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { placesStore } from '../../lib/other-places.ts'
import { useQuery } from '../../lib/query.ts'
import { useRoute } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { useStore } from '../../lib/store.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Expiry } from '../../ui/expiry.tsx'
import { TextField } from '../../ui/field.tsx'
import { Pencil, Trash2 } from '../../ui/icons.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import {
  addGrant,
  changeGrant,
  givenQuery,
  PRESET_NAMES,
  PRESETS,
  type Preset,
  presetOf,
  recipientsQuery,
  removeGrant,
  rightsOfPreset,
} from '../files/api/grants.ts'
import { GrantTerms } from './grant-terms.tsx'
import styles from './people.module.css'

interface PeopleProps {
  /** Without a slash at its end. */
  path: string
  isDir: boolean
  /** Called when a name begins to be typed, and when none is any longer. */
  onTyping: (isTyping: boolean) => void
}

/** Which users and groups a file or folder is shared with, and a field to add one. */
export function People({ path, isDir, onTyping }: PeopleProps) {
  const { data, error, refetch } = useQuery(givenQuery(path))
  if (!data) return error ? <LoadFailure error={error} onRetry={() => void refetch()} /> : null
  return (
    <section className={styles.people} aria-label={t('grants.people')}>
      <h3 className={styles.title}>{t('grants.people')}</h3>
      {data.length > 0 && (
        <ul className={styles.list}>
          {data.map(grant => (
            <GrantRow key={grant.id} grant={grant} />
          ))}
        </ul>
      )}
      <AddRecipient path={path} isDir={isDir} given={data} onTyping={onTyping} />
    </section>
  )
}

const report = (failed: unknown) => notify('error', errorText(failed))

/** The presets that the user may give, and another one that is given. */
function usePresets({ path, isDir }: Pick<Grant, 'path' | 'isDir'>, given?: Preset | 'custom') {
  const user = useGiver(path)
  const mayGive = (name: Preset) => PRESETS[name].every(right => user?.perm[right])
  const names = PRESET_NAMES.filter(name => name === given || (mayGive(name) && (isDir || name !== 'collect')))
  const choices = names.map(name => ({ value: name as string, label: t(`grants.${name}`) }))
  return given === 'custom' ? [...choices, { value: 'custom', label: t('grants.custom') }] : choices
}

/** The user with what they may do at a path, which others may share with them. */
function useGiver(path: string) {
  const { user } = useSession()
  const places = useStore(placesStore)
  const route = useRoute()
  return user && places ? places.userAt(user, route, [{ path } as ResourceItem]) : user
}

/** A recipient; what they may do is changed at once. */
export function GrantRow({ grant }: { grant: Grant }) {
  const { id, to, rights, note, expires, by } = grant
  const [isOpen, setOpen] = useState(false)
  const preset = presetOf(rights) ?? 'custom'
  const choices = usePresets(grant, preset)
  const change = (value: string) => {
    if (value !== 'custom') changeGrant(id, { rights: rightsOfPreset(value as Preset, rights) }).catch(report)
  }
  const pencil = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    pencil.current?.focus()
  }
  const end = () =>
    removeGrant(id)
      .then(() => notify('success', t('grants.removed')))
      .catch(report)
  return (
    <li className={styles.row}>
      <span className={styles.name}>
        <bdi>{to.name}</bdi>
        {to.kind === 'group' && <span className={styles.kind}>{t('grants.group')}</span>}
        {(expires !== null || note !== '' || by !== undefined || rights.includes('share')) && (
          <span className={styles.about}>
            {expires !== null && (
              <Expiry expire={Math.floor(Date.parse(expires) / 1000)} sentence={when => t('shares.ends', { when })} />
            )}
            {note !== '' && <bdi>{note}</bdi>}
            {by !== undefined && <span>{t('grants.by', { name: by })}</span>}
            {rights.includes('share') && <span>{t('grants.sharesOn')}</span>}
          </span>
        )}
      </span>
      <span className={styles.tools}>
        <span className={styles.rights}>
          <SelectField
            label={t('grants.rights', { name: to.name })}
            choices={choices}
            value={preset}
            onChange={change}
          />
        </span>
        <IconButton
          ref={pencil}
          label={t('grants.terms', { name: to.name })}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Pencil size={18} aria-hidden />
        </IconButton>
        <IconButton label={t('grants.remove', { name: to.name })} onClick={() => void end()}>
          <Trash2 size={18} aria-hidden />
        </IconButton>
      </span>
      {isOpen && <GrantTerms grant={grant} onDone={close} />}
    </li>
  )
}

interface AddRecipientProps extends PeopleProps {
  given: readonly Grant[]
}

/** Finds a user or a group by name; one of the results is shared with at once. */
function AddRecipient({ path, isDir, given, onTyping }: AddRecipientProps) {
  const [part, setPart] = useState('')
  const [preset, setPreset] = useState<Preset>('view')
  const choices = usePresets({ path, isDir })
  const wanted = part.trim()
  const { data } = useQuery(recipientsQuery(wanted))
  const isGiven = ({ kind, id }: Recipient) => given.some(({ to }) => to.kind === kind && to.id === id)
  const found = wanted === '' ? [] : data?.filter(one => !isGiven(one))
  const type = (text: string) => {
    setPart(text)
    onTyping(text.trim() !== '')
  }
  const share = async ({ kind, id, name }: Recipient) => {
    await addGrant({ path, to: { kind, id }, rights: [...PRESETS[preset]] })
    notify('success', t('grants.shared', { name }))
    type('')
  }
  return (
    <>
      <div className={styles.add}>
        <TextField
          label={t('grants.find')}
          value={part}
          autoComplete="off"
          spellCheck={false}
          onChange={event => type(event.target.value)}
          onKeyDown={({ key, nativeEvent }) => {
            const only = found?.length === 1 ? found[0] : undefined
            if (key === 'Enter' && !nativeEvent.isComposing && only) void share(only).catch(report)
          }}
        />
        <SelectField
          label={t('grants.rightsOfNew')}
          choices={choices}
          value={preset}
          onChange={value => setPreset(value as Preset)}
        />
      </div>
      <div role="status">
        {wanted !== '' && found?.length === 0 && <p className={styles.none}>{t('grants.noneFound')}</p>}
      </div>
      {found && found.length > 0 && (
        <ul className={styles.found}>
          {found.map(one => (
            <li key={one.kind + one.id} className={styles.row}>
              <span className={styles.name}>
                <bdi>{one.name}</bdi>
                {one.kind === 'group' && <span className={styles.kind}>{t('grants.group')}</span>}
              </span>
              <Button onClick={() => void share(one).catch(report)}>
                {t('actions.share')}
                <span className="visually-hidden"> {one.name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
