import { useRef, useState } from 'react'
import type { VersionItem } from '../../../../shared/api/versions.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { parsePath } from '../../../../shared/path.ts'
import { apiUrl } from '../../../lib/api.ts'
import { formatDate } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt, openPrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { saveFrom } from '../../files/api/download.ts'
import { snapshotRaw } from '../../files/api/snapshots.ts'
import { versionContent } from '../api/versions.ts'
import { NameForm, RemovalQuestion } from '../questions.tsx'
import { SnapshotList } from '../snapshot-list.tsx'
import { useVersions, type Versions } from '../use-versions.ts'
import { VersionList } from '../version-list.tsx'
import styles from '../versions.module.css'

interface VersionsPromptProps {
  item: { path: string; name: string }
}

/** What is asked about a version before something is done with it. */
type Question = { about: 'name' | 'remove'; version: VersionItem }

/** The former contents of a file. */
export default function VersionsPrompt({ item }: VersionsPromptProps) {
  const versions = useVersions(item.path)
  const [question, setQuestion] = useState<Question>()
  const close = useRef<HTMLButtonElement>(null)
  const name = shownName(item.name)
  return (
    <Dialog
      wide
      title={t('versions.title', { name })}
      onClose={closePrompt}
      initialFocus={close}
      footer={
        <Button ref={close} onClick={closePrompt}>
          {t('common.close')}
        </Button>
      }
    >
      {question ? (
        <Ask question={question} versions={versions} onEnd={() => setQuestion(undefined)} />
      ) : (
        <Content
          path={item.path}
          versions={versions}
          onAsk={setQuestion}
          onCompare={former => compare(item, former, versions)}
        />
      )}
    </Dialog>
  )
}

/** A former content, and the API call for it. */
interface Former {
  modified: string
  size: number
  source: string
}

function compare(item: VersionsPromptProps['item'], { modified, size, source }: Former, { page }: Versions): void {
  if (!page) return
  const before = { title: formatDate(modified), size, source }
  openPrompt('compareVersions', {
    path: item.path,
    before,
    size: page.current.size,
    onBack: () => openPrompt('versions', { item }),
  })
}

function Ask({ question: { about, version }, versions, onEnd }: AskProps) {
  const settle = (act: Promise<void>) => {
    onEnd()
    void act
  }
  return about === 'name' ? (
    <NameForm version={version} onName={label => settle(versions.name(version, label))} onCancel={onEnd} />
  ) : (
    <RemovalQuestion version={version} onRemove={() => settle(versions.remove(version))} onCancel={onEnd} />
  )
}

interface AskProps {
  question: Question
  versions: Versions
  onEnd: () => void
}

interface ContentProps {
  path: string
  versions: Versions
  onAsk: (question: Question) => void
  onCompare: (former: Former) => void
}

function Content({ path, versions, onAsk, onCompare }: ContentProps) {
  const { page, error, reload } = versions
  if (error && !page) return <LoadFailure error={error} onRetry={reload} />
  if (!page) return <Spinner label={t('common.loading')} onRetry={reload} />
  return (
    <>
      {page.current.outside && <p className={styles.hint}>{t('versions.outside')}</p>}
      {page.next === 'unsure' && <p className={styles.hint}>{t('versions.lost')}</p>}
      {page.items.length === 0 ? (
        <p className={styles.none}>{page.next === 'kept' ? t('versions.none') : null}</p>
      ) : (
        <VersionList
          page={page}
          commands={{
            open: version => window.open(apiUrl(versionContent(version.id, true)), '_blank', 'noopener'),
            download: version => saveFrom(apiUrl(versionContent(version.id)), version.name),
            compare: ({ id, ...version }) => onCompare({ ...version, source: versionContent(id, true) }),
            restore: versions.restore,
            copy: versions.copy,
            pin: versions.pin,
            name: version => onAsk({ about: 'name', version }),
            remove: version => onAsk({ about: 'remove', version }),
          }}
        />
      )}
      {page.more && (
        <Button className={styles.more} onClick={versions.loadMore}>
          {t('versions.older')}
        </Button>
      )}
      <SnapshotList
        path={path}
        canChange={page.canChange}
        onRestored={reload}
        onCompare={({ id, time, modified = time, size = 0 }) =>
          onCompare({ modified, size, source: snapshotRaw({ at: id, path: parsePath(path) }, true) })
        }
      />
      <p className={styles.hint}>{policyText(page)}</p>
    </>
  )
}

function policyText({ supported, mode, next }: NonNullable<Versions['page']>): string {
  if (!supported) return t('versions.unsupported')
  if (next === 'skipped') return t('versions.skipped')
  return t(`versions.policy.${mode}`)
}
