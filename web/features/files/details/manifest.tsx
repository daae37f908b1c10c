import { useEffect, useRef, useState } from 'react'
import type { VerifiedFile } from '../../../../shared/api/manifests.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { encodePath } from '../../../../shared/path.ts'
import { api, apiUrl } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { jsonLines } from '../../../lib/json-lines.ts'
import { Button } from '../../../ui/button.tsx'
import { saveFrom } from '../api/download.ts'
import styles from './details.module.css'

/** Files that are shown by name. */
const SHOWN = 100

interface ManifestProps {
  path: string
  isFolder: boolean
}

/** The checksums of a folder as a file, or the comparison of files with the checksums in one. */
export default function Manifest({ path, isFolder }: ManifestProps) {
  return (
    <section className={styles.checksums}>
      <h3 className={styles.heading}>{t(isFolder ? 'details.checksums' : 'checksums.title')}</h3>
      {isFolder ? (
        <Button onClick={() => saveFrom(apiUrl(`/api/manifest${encodePath(path)}`), 'SHA256SUMS')}>
          {t('checksums.download')}
        </Button>
      ) : (
        <Verification key={path} path={path} />
      )}
    </section>
  )
}

interface Progress {
  same: number
  faults: readonly VerifiedFile[]
  isDone: boolean
  error?: unknown
}

function Verification({ path }: { path: string }) {
  const [progress, setProgress] = useState<Progress>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const verify = () => {
    running.current?.abort()
    running.current = new AbortController()
    void follow(path, running.current.signal, setProgress)
  }
  return (
    <>
      <Button busy={progress !== undefined && !progress.isDone} onClick={verify}>
        {t('checksums.verify')}
      </Button>
      <p role="status">{progress && progressText(progress)}</p>
      {progress && progress.faults.length > 0 && (
        <ul className={styles.faults}>
          {progress.faults.slice(0, SHOWN).map(({ name, state }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a manifest may name a file twice, and results only follow
            <li key={index}>
              <bdi>{shownName(name)}</bdi> – {stateText(state)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

async function follow(path: string, signal: AbortSignal, show: (progress: Progress) => void): Promise<void> {
  let progress: Progress = { same: 0, faults: [], isDone: false }
  show(progress)
  try {
    const answer = await api(`/api/verify${encodePath(path)}`, { signal })
    for await (const files of jsonLines<VerifiedFile>(answer, signal)) {
      const faults = files.filter(({ state }) => state !== 'same')
      const same = progress.same + files.length - faults.length
      progress = { ...progress, same, faults: [...progress.faults, ...faults] }
      show(progress)
    }
    show({ ...progress, isDone: true })
  } catch (error) {
    if (!signal.aborted) show({ ...progress, isDone: true, error })
  }
}

function progressText({ same, faults, isDone, error }: Progress): string {
  const count = same + faults.length
  if (error !== undefined) return errorText(error)
  if (!isDone) return t('checksums.checked', { count })
  return faults.length === 0
    ? t('checksums.allSame', { count })
    : t('checksums.faults', { count: faults.length, total: count })
}

function stateText(state: VerifiedFile['state']): string {
  if (state === 'different') return t('checksums.different')
  if (state === 'missing') return t('checksums.missing')
  return state === 'noLine' ? t('checksums.noLine') : t('checksums.unread')
}
