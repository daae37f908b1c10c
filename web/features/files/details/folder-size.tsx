import { useEffect, useRef, useState } from 'react'
import { errorText } from '../../../lib/error-text.ts'
import { formatBytes, formatFacts } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { Button } from '../../../ui/button.tsx'
import { fetchKnownSize, fetchTreeSize, type TreeSize } from '../api/tree-size.ts'
import styles from './details.module.css'
import { Fact } from './fact.tsx'

type State = { step: 'unasked' } | { step: 'counting' | 'done'; size: TreeSize } | { step: 'failed'; reason: string }

/** The size of a folder's content: shown at once where the server has it, otherwise summed up on request. */
export function FolderSize({ path }: { path: string }) {
  const [state, setState] = useState<State>({ step: 'unasked' })
  const abort = useRef(new AbortController())
  useEffect(() => {
    const here = abort
    const known = new AbortController()
    fetchKnownSize(path, known.signal)
      .then(size => size && setState(now => (now.step === 'unasked' ? { step: 'done', size } : now)))
      // The button remains as the fallback.
      .catch(() => {})
    return () => {
      known.abort()
      here.current.abort()
    }
  }, [path])

  const calculate = async () => {
    abort.current = new AbortController()
    const { signal } = abort.current
    try {
      const size = await fetchTreeSize(path, signal, sofar => setState({ step: 'counting', size: sofar }))
      setState({ step: 'done', size })
    } catch (error) {
      if (!signal.aborted) setState({ step: 'failed', reason: errorText(error) })
    }
  }
  const { unread = 0 } = 'size' in state ? state.size : {}
  return (
    <Fact label={t('files.columnSize')}>
      {(state.step === 'unasked' || state.step === 'failed') && (
        <Button kind="quiet" className={styles.calculate} onClick={() => void calculate()}>
          {t('details.calculate')}
        </Button>
      )}
      <span role="status" className={styles.size} data-step={state.step}>
        {textOf(state)}
        {unread > 0 && <span className={styles.unread}>{t('files.unread', { count: unread })}</span>}
      </span>
    </Fact>
  )
}

function textOf(state: State): string {
  if (state.step === 'unasked') return ''
  if (state.step === 'failed') return state.reason
  const { bytes, files, folders } = state.size
  const facts = formatFacts([formatBytes(bytes), t('files.counts', { folders, files })])
  return state.step === 'counting' ? `${facts}…` : facts
}
