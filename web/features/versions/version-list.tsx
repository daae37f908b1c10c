import type { VersionItem, VersionsPage } from '../../../shared/api/versions.ts'
import { useActionContext } from '../../lib/actions.ts'
import { formatBytes, formatDate, formatFacts } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { EllipsisVertical, Lock } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import { byDay } from '../files/items/by-day.ts'
import { timeAmong } from './time.ts'
import styles from './versions.module.css'

export interface VersionCommands {
  open: (version: VersionItem) => void
  download: (version: VersionItem) => void
  compare: (version: VersionItem) => void
  restore: (version: VersionItem) => Promise<void>
  copy: (version: VersionItem) => Promise<void>
  pin: (version: VersionItem, pinned: boolean) => Promise<void>
  name: (version: VersionItem) => void
  remove: (version: VersionItem) => void
}

interface VersionListProps {
  page: VersionsPage
  commands: VersionCommands
}

/** The current content of a file and the former ones by day, the newest first. */
export function VersionList({ page: { current, items, canChange }, commands }: VersionListProps) {
  return (
    <>
      <div className={styles.row}>
        <span className={styles.facts}>
          <strong>{t('versions.current')}</strong>
          <span className={styles.hint}>{formatFacts([formatDate(current.modified), formatBytes(current.size)])}</span>
        </span>
      </div>
      {byDay(items, ({ replaced }) => replaced).map(([day, versions]) => (
        <section key={day} aria-label={day}>
          <h3 className={styles.day}>{t('versions.replacedOn', { day })}</h3>
          <ul className={styles.list}>
            {versions.map(version => (
              <Version
                key={version.id}
                version={version}
                when={timeAmong(items, version)}
                than={sizeAfter(items, version, current.size)}
                canChange={canChange}
                commands={commands}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** The size of the content that replaced a version. */
function sizeAfter(items: readonly VersionItem[], version: VersionItem, current: number): number {
  return items[items.indexOf(version) - 1]?.size ?? current
}

interface VersionProps {
  version: VersionItem
  /** Its time, as shown. */
  when: string
  than: number
  canChange: boolean
  commands: VersionCommands
}

function Version({ version, when, than, canChange, commands }: VersionProps) {
  const { offline = false } = useActionContext()
  const { user } = useSession()
  const size = [formatBytes(version.size), differenceText(version.size - than)].filter(Boolean).join(' ')
  const isAway = version.away ?? false
  return (
    <li className={styles.row}>
      <span className={styles.facts}>
        <span>
          {version.pinned && <Lock size={14} aria-label={t('versions.pinned')} className={styles.pin} />}
          <bdi>{version.label ?? when}</bdi>
        </span>
        <span className={styles.hint}>
          {formatFacts([...(version.label === undefined ? [] : [when]), t('versions.by', { name: version.by }), size])}
        </span>
        {isAway && <span className={styles.hint}>{t('versions.away')}</span>}
      </span>
      {canChange && (
        <Button
          disabled={isAway || offline}
          aria-label={t('versions.restoreOf', { when })}
          onClick={() => void commands.restore(version)}
        >
          {t('versions.restore')}
        </Button>
      )}
      <MenuButton
        label={t('versions.actions', { when })}
        entries={entriesFor(version, commands, {
          isDisabled: isAway || offline,
          canChange,
          canCreate: user?.perm.create ?? false,
        })}
      >
        <EllipsisVertical size={18} aria-hidden />
      </MenuButton>
    </li>
  )
}

interface May {
  isDisabled: boolean
  canChange: boolean
  canCreate: boolean
}

function entriesFor(version: VersionItem, commands: VersionCommands, { isDisabled, canChange, canCreate }: May) {
  const entry = (id: string, label: string, run: () => unknown): MenuEntry => ({
    id,
    label,
    disabled: isDisabled,
    run: () => void run(),
  })
  const { open, compare, copy, download, name, pin, remove } = commands
  const pinned = version.pinned
  return [
    entry('open', t('common.open'), () => open(version)),
    entry('compare', t('versions.compare'), () => compare(version)),
    ...(canCreate ? [entry('copy', t('versions.copy'), () => copy(version))] : []),
    entry('download', t('common.download'), () => download(version)),
    ...(canChange
      ? [
          entry('name', t('versions.name'), () => name(version)),
          entry('pin', t(pinned ? 'versions.unpin' : 'versions.pin'), () => pin(version, !pinned)),
          { ...entry('remove', t('versions.remove'), () => remove(version)), danger: true, separated: true },
        ]
      : []),
  ]
}

/** `(+1.2 kB)`; empty without a difference. */
function differenceText(bytes: number): string {
  if (bytes === 0) return ''
  return `(${bytes > 0 ? '+' : '−'}${formatBytes(Math.abs(bytes))})`
}
